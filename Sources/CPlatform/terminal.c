// The controlling terminal: its modes and its size. One thread at a time.

#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "state.h"

struct platform_saved_terminal platform_saved;

int platform_is_terminal(int fd) { return isatty(fd); }

int platform_window_size(int fd, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) < 0) return -errno;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

int platform_terminal_save(int fd) {
  if (tcgetattr(fd, &platform_saved.modes) < 0) return -errno;
  platform_saved.fd = fd;
  platform_saved.is_set = 1;
  return 0;
}

int platform_terminal_raw(int fd) {
  struct termios modes;
  if (tcgetattr(fd, &modes) < 0) return -errno;
  cfmakeraw(&modes);
  // Reads are made only when poll says so; never block, never wait for more.
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  return tcsetattr(fd, TCSADRAIN, &modes) < 0 ? -errno : 0;
}

int platform_terminal_restore(int fd) {
  if (!platform_saved.is_set) return 0;
  return tcsetattr(fd, TCSADRAIN, &platform_saved.modes) < 0 ? -errno : 0;
}

int platform_memory_file(const char *name) {
  int fd = memfd_create(name, MFD_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int64_t platform_take_file(int fd, void *buffer, size_t capacity) {
  off_t size = lseek(fd, 0, SEEK_END);
  if (size < 0) return -errno;
  if (!buffer) return size;
  size_t wanted = (size_t)size < capacity ? (size_t)size : capacity;
  ssize_t count = pread(fd, buffer, wanted, 0);
  if (count < 0) return -errno;
  lseek(fd, 0, SEEK_SET);
  return ftruncate(fd, 0) < 0 ? -errno : count;
}

int platform_duplicate(int fd) {
  int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  return copy < 0 ? -errno : copy;
}

int platform_redirect(int fd, int number) { return dup2(fd, number) < 0 ? -errno : 0; }

int platform_write_all(int fd, const void *bytes, size_t count) {
  const char *at = bytes;
  int calls = 0;
  while (count > 0) {
    ssize_t written = write(fd, at, count);
    if (written < 0) {
      if (errno == EINTR) continue;
      // Somebody else made the terminal non-blocking: wait, do not spin.
      if (errno == EAGAIN) {
        struct pollfd room = {.fd = fd, .events = POLLOUT};
        poll(&room, 1, -1);
        continue;
      }
      return -errno;
    }
    calls++;
    at += written;
    count -= (size_t)written;
  }
  return calls;
}

void platform_complain(const char *text) { platform_write_all(2, text, strlen(text)); }

int64_t platform_read(int fd, void *buffer, size_t count) {
  for (;;) {
    ssize_t got = read(fd, buffer, count);
    if (got >= 0) return got;
    if (errno != EINTR) return -errno;
  }
}

void platform_close(int fd) { close(fd); }
