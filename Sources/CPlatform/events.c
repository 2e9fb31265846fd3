// Waking a poll loop, watching folders, threads. Any thread may call these.

#include "CPlatform.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

int platform_eventfd(void) {
  int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

void platform_eventfd_wake(int fd) {
  uint64_t one = 1;
  // EAGAIN means that the counter is full: the reader will wake anyway.
  while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

void platform_eventfd_drain(int fd) {
  uint64_t count;
  while (read(fd, &count, sizeof count) < 0 && errno == EINTR) {
  }
}

int platform_inotify(void) {
  int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int platform_inotify_watch(int fd, const char *path) {
  int watch = inotify_add_watch(
    fd, path,
    IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
      IN_DELETE_SELF);
  return watch < 0 ? -errno : watch;
}

int platform_inotify_drain(int fd) {
  char buffer[4096] __attribute__((aligned(8)));
  int total = 0;
  for (;;) {
    ssize_t count = read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return total;
    total += (int)count;
  }
}

#define POLL_ENTRIES_MAX 64

int platform_poll(platform_poll_entry *entries, size_t count, int64_t timeout_ns) {
  struct pollfd set[POLL_ENTRIES_MAX];
  if (count > POLL_ENTRIES_MAX) return -EINVAL;
  for (size_t i = 0; i < count; i++) {
    set[i].fd = entries[i].fd;
    set[i].events = (entries[i].events & PLATFORM_READABLE ? POLLIN : 0) |
                    (entries[i].events & PLATFORM_WRITABLE ? POLLOUT : 0);
    set[i].revents = 0;
    entries[i].ready = 0;
  }
  struct timespec limit = {timeout_ns / 1000000000, timeout_ns % 1000000000};
  int ready = ppoll(set, count, timeout_ns < 0 ? NULL : &limit, NULL);
  if (ready < 0) return errno == EINTR ? 0 : -errno;
  for (size_t i = 0; i < count; i++) {
    short bits = set[i].revents;
    entries[i].ready = (bits & POLLIN ? PLATFORM_READABLE : 0) |
                       (bits & POLLOUT ? PLATFORM_WRITABLE : 0) |
                       (bits & (POLLHUP | POLLERR | POLLNVAL) ? PLATFORM_CLOSED : 0);
  }
  return ready;
}

uint64_t platform_monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t platform_thread_id(void) { return (uint64_t)pthread_self(); }

typedef struct {
  void (*body)(void *);
  void *context;
} thread_start;

static void *thread_main(void *opaque) {
  thread_start start = *(thread_start *)opaque;
  free(opaque);
  start.body(start.context);
  return NULL;
}

int platform_thread_start(const char *name, void (*body)(void *), void *context) {
  thread_start *start = malloc(sizeof *start);
  if (!start) return -ENOMEM;
  *start = (thread_start){body, context};
  pthread_t thread;
  int failed = pthread_create(&thread, NULL, thread_main, start);
  if (failed) {
    free(start);
    return -failed;
  }
  pthread_setname_np(thread, name);
  pthread_detach(thread);
  return 0;
}
