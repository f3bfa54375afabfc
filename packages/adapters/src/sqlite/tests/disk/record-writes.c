// A library that is loaded before the C library. It records, in the order of the calls, what a process writes
// to the files of one folder and when it asks the disk to keep it. It can make such writes fail, also as on a
// read-only disk.
//
//   RECORDED_FOLDER  the folder whose files are recorded
//   RECORD           the file that the record is appended to
//   WRITE_ERROR      a file with an errno; while it exists, writes to the files of the folder fail with it,
//                    and with EROFS nobody has the right to write them either
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static int record = -1;
static const char *folder;
static const char *write_error;

__attribute__((constructor)) static void begin(void) {
  folder = getenv("RECORDED_FOLDER");
  write_error = getenv("WRITE_ERROR");
  const char *path = getenv("RECORD");
  if (folder != NULL && path != NULL) record = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

// The name of an open file below the folder; "" for the folder itself, NULL for any other file.
static const char *name_of(int fd, char *path, size_t size) {
  char link[64];
  if (folder == NULL) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, size - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  size_t prefix = strlen(folder);
  if (strncmp(path, folder, prefix) != 0) return NULL;
  if (path[prefix] == 0) return "";
  return path[prefix] == '/' ? path + prefix + 1 : NULL;
}

// An entry: its kind, the lengths of the name and of the data, the offset, the name, the data.
static void append(char kind, const char *name, uint64_t offset, const void *data, uint32_t length) {
  if (record < 0) return;
  uint16_t name_length = strlen(name);
  size_t size = 15 + name_length + length;
  char *entry = malloc(size);
  entry[0] = kind;
  memcpy(entry + 1, &name_length, 2);
  memcpy(entry + 3, &length, 4);
  memcpy(entry + 7, &offset, 8);
  memcpy(entry + 15, name, name_length);
  memcpy(entry + 15 + name_length, data, length);
  if (syscall(SYS_write, record, entry, size) != (ssize_t)size) abort();
  free(entry);
}

static int fails(const char *name) {
  if (name == NULL || write_error == NULL) return 0;
  int fd = syscall(SYS_openat, AT_FDCWD, write_error, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return 0;
  char text[16] = {0};
  ssize_t length = syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  return length > 0 ? atoi(text) : 0;
}

int access(const char *path, int mode) {
  static int (*next)(const char *, int);
  if (next == NULL) next = (int (*)(const char *, int))dlsym(RTLD_NEXT, "access");
  if ((mode & W_OK) != 0 && folder != NULL && strncmp(path, folder, strlen(folder)) == 0 && fails("") == EROFS) {
    errno = EROFS;
    return -1;
  }
  return next(path, mode);
}

static ssize_t write_at(int fd, const void *data, size_t length, off64_t offset) {
  static ssize_t (*next)(int, const void *, size_t, off64_t);
  if (next == NULL) next = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
  char path[4096];
  const char *name = name_of(fd, path, sizeof path);
  int error = fails(name);
  if (error != 0) {
    errno = error;
    return -1;
  }
  ssize_t written = next(fd, data, length, offset);
  if (name != NULL && written > 0) append('W', name, offset, data, written);
  return written;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return write_at(fd, data, length, offset); }

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return write_at(fd, data, length, offset); }

static int truncate_to(int fd, off64_t length) {
  static int (*next)(int, off64_t);
  if (next == NULL) next = (int (*)(int, off64_t))dlsym(RTLD_NEXT, "ftruncate64");
  char path[4096];
  const char *name = name_of(fd, path, sizeof path);
  int result = next(fd, length);
  if (name != NULL && result == 0) append('T', name, length, "", 0);
  return result;
}

int ftruncate64(int fd, off64_t length) { return truncate_to(fd, length); }

int ftruncate(int fd, off_t length) { return truncate_to(fd, length); }

static int synchronize(int fd, const char *call) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, call);
  char path[4096];
  const char *name = name_of(fd, path, sizeof path);
  int result = next(fd);
  if (name != NULL && result == 0) append('S', name, 0, "", 0);
  return result;
}

int fsync(int fd) { return synchronize(fd, "fsync"); }

int fdatasync(int fd) { return synchronize(fd, "fdatasync"); }
