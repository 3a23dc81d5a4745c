// IP ranges outside the public internet, from the special-purpose registries of IANA, and the metadata addresses of clouds.

export const SPECIAL_V4 = [
  ['0.0.0.0/32', 'unspecified'],
  ['0.0.0.0/8', 'this-network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'cgnat'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'ietf-protocol'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'as112'],
  ['192.52.193.0/24', 'amt'],
  ['192.88.99.0/24', '6to4-relay'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'as112'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
] as const;

/** The first range that contains an address names it, so narrow ranges precede wide ones. */
export const SPECIAL_V6 = [
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['64:ff9b:1::/48', 'nat64-local-use'],
  ['100::/64', 'discard-only'],
  ['100:0:0:1::/64', 'dummy-prefix'],
  ['2001:2::/48', 'benchmarking'],
  ['2001:10::/28', 'orchid'],
  ['2001:20::/28', 'orchidv2'],
  ['2001:30::/28', 'drone-remote-id'],
  ['2001::/23', 'ietf-protocol'],
  ['2001:db8::/32', 'documentation'],
  ['2620:4f:8000::/48', 'as112'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'srv6-sids'],
  ['fc00::/7', 'unique-local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
] as const;

/** IPv6 addresses with an embedded IPv4 address: offset of its four bytes, and whether they are stored inverted. */
export const EMBEDDING_V6 = [
  { range: '::ffff:0:0/96', mechanism: 'v4-mapped', at: 12, inverted: false },
  { range: '64:ff9b::/96', mechanism: 'nat64', at: 12, inverted: false },
  { range: '2002::/16', mechanism: '6to4', at: 2, inverted: false },
  { range: '2001::/32', mechanism: 'teredo', at: 12, inverted: true },
  { range: '::ffff:0:0:0/96', mechanism: 'v4-translated', at: 12, inverted: false },
  { range: '::/96', mechanism: 'v4-compatible', at: 12, inverted: false },
] as const;

/** Only this part of IPv6 is allocated as global unicast: everything else is blocked. */
export const GLOBAL_UNICAST_V6 = '2000::/3';

/** Instance metadata and platform endpoints: they serve credentials to any client. */
export const METADATA_ADDRESSES = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.169.253',
  '169.254.169.123',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::253',
  'fd00:ec2::123',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
] as const;

export const METADATA_NAMES = [
  'metadata.google.internal',
  'metadata.goog',
  'metadata.amazonaws.com',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata',
  'metadata.azure.com',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.packet.net',
] as const;

/** Suffixes of internal names: no public site has one of them. */
export const INTERNAL_SUFFIXES = [
  'local',
  'internal',
  'svc',
  'home.arpa',
  'localdomain',
  'lan',
  'home',
  'corp',
  'intranet',
  'private',
] as const;
