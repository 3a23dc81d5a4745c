/* Stands between a process and its C library, for files whose path holds FAULT_IO_PATH (never the shared index of the
 * log, which is memory). Fails the n-th write or flush with EIO, and keeps a record of all of them, so that a test can
 * build the file as a power cut would have left it.
 *
 * A record: one byte for the operation (w, s, t), one for the length of the name, the name, offset and length as 8-byte
 * little-endian numbers, and for a write its bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int count;
static int record_fd = -2;

static const char *base_of(int fd, char *path, size_t size) {
  const char *wanted = getenv("FAULT_IO_PATH");
  if (wanted == NULL) return NULL;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, size - 1);
  if (n <= 0) return NULL;
  path[n] = 0;
  if (strstr(path, wanted) == NULL || strstr(path, "-shm") != NULL) return NULL;
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static int fails(void) {
  const char *nth = getenv("FAULT_IO_NTH");
  return nth != NULL && atomic_fetch_add(&count, 1) + 1 == atoi(nth);
}

static void note(char op, const char *name, uint64_t offset, const void *data, uint64_t size) {
  const char *to = getenv("FAULT_IO_RECORD");
  if (to == NULL) return;
  if (record_fd == -2) record_fd = open(to, O_WRONLY | O_CREAT | O_APPEND, 0600);
  char head[2] = {op, (char)strlen(name)};
  uint64_t numbers[2] = {offset, size};
  struct iovec parts[4] = {{head, 2}, {(void *)name, strlen(name)}, {numbers, 16}, {(void *)data, data == NULL ? 0 : size}};
  (void)!writev(record_fd, parts, 4);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (real == NULL) real = dlsym(RTLD_NEXT, "pwrite64");
  char path[512];
  const char *name = base_of(fd, path, sizeof path);
  if (name == NULL) return real(fd, data, size, offset);
  if (fails()) { errno = EIO; return -1; }
  ssize_t written = real(fd, data, size, offset);
  if (written > 0) note('w', name, (uint64_t)offset, data, (uint64_t)written);
  return written;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return pwrite64(fd, data, size, offset); }

static int flush(int fd, int (*real)(int)) {
  char path[512];
  const char *name = base_of(fd, path, sizeof path);
  if (name == NULL) return real(fd);
  if (fails()) { errno = EIO; return -1; }
  int result = real(fd);
  if (result == 0) note('s', name, 0, NULL, 0);
  return result;
}

int fsync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = dlsym(RTLD_NEXT, "fsync");
  return flush(fd, real);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = dlsym(RTLD_NEXT, "fdatasync");
  return flush(fd, real);
}

int ftruncate64(int fd, off64_t size) {
  static int (*real)(int, off64_t);
  if (real == NULL) real = dlsym(RTLD_NEXT, "ftruncate64");
  char path[512];
  const char *name = base_of(fd, path, sizeof path);
  int result = real(fd, size);
  if (name != NULL && result == 0) note('t', name, 0, NULL, (uint64_t)size);
  return result;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }
