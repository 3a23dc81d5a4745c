// Ports of services other than websites. They are blocked even in an allowlisted range, unless the operator allows the port:
// for some of them a request line is enough to trigger an action.

export const SERVICE_PORTS: ReadonlySet<number> = new Set([
  // The bad ports of the Fetch standard.
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  // Databases, queues, caches and control planes.
  445, 873, 1433, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5433, 5672, 5984, 6379, 6380, 6432, 6443,
  7000, 7001, 7474, 7687, 9042, 9092, 9160, 9200, 9300, 10250, 10255, 11211, 11434, 15672, 16379, 26257, 26379, 27017,
  27018, 27019, 28015, 50000,
]);
