// Small private files. Any thread.

#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int platform_make_private_file(char *path_template, int suffix_count) {
  // mkstemps opens it with mode 0600.
  int fd = mkostemps(path_template, suffix_count, O_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int platform_open_to_read(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int64_t platform_file_size(int fd) {
  struct stat status;
  return fstat(fd, &status) < 0 ? -errno : status.st_size;
}

int platform_remove(const char *path) { return unlink(path) < 0 ? -errno : 0; }
