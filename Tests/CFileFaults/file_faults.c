// See the header. Reading never fails here; what fails is what changes a file: making, writing,
// cutting, syncing, naming and removing it. Any thread; one folder at a time.

#define _GNU_SOURCE
#include "file_faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static char armed_folder[4096];
static _Atomic int is_armed, count, failing;

void file_faults_arm(const char *folder, int number) {
  atomic_store(&is_armed, 0);
  snprintf(armed_folder, sizeof armed_folder, "%s", folder);
  atomic_store(&count, 0);
  atomic_store(&failing, number);
  atomic_store(&is_armed, 1);
}

int file_faults_disarm(void) {
  atomic_store(&is_armed, 0);
  return atomic_load(&count);
}

static int fails_at(const char *path) {
  if (!atomic_load(&is_armed) || strncmp(path, armed_folder, strlen(armed_folder)) != 0) return 0;
  if (atomic_fetch_add(&count, 1) + 1 != atomic_load(&failing)) return 0;
  errno = ENOSPC;
  return 1;
}

static int fails_on(int descriptor) {
  if (!atomic_load(&is_armed)) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return fails_at(path);
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *bytes, size_t size) {
  NEXT(write);
  return fails_on(fd) ? -1 : next(fd, bytes, size);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  NEXT(pwrite64);
  return fails_on(fd) ? -1 : next(fd, bytes, size, at);
}

int fsync(int fd) {
  NEXT(fsync);
  return fails_on(fd) ? -1 : next(fd);
}

int fdatasync(int fd) {
  NEXT(fdatasync);
  return fails_on(fd) ? -1 : next(fd);
}

int ftruncate64(int fd, off64_t size) {
  NEXT(ftruncate64);
  return fails_on(fd) ? -1 : next(fd, size);
}

int rename(const char *from, const char *to) {
  NEXT(rename);
  return fails_at(to) ? -1 : next(from, to);
}

int link(const char *from, const char *to) {
  NEXT(link);
  return fails_at(to) ? -1 : next(from, to);
}

int mkdir(const char *path, mode_t mode) {
  NEXT(mkdir);
  return fails_at(path) ? -1 : next(path, mode);
}

int mkstemp(char *template) {
  NEXT(mkstemp);
  return fails_at(template) ? -1 : next(template);
}
