/*
 * Writes down what a power cut would take away: preloaded into a process, it records every change below one folder before it
 * happens, with what was there before, and every fsync. cut.mjs reads that journal and makes the folder what a disk may hold
 * after the power went.
 *
 *   UNSYNCED_FOLDER        the folder, a real path
 *   UNSYNCED_JOURNAL       a folder on the same file system: `journal`, and `kept/` with links to files that were removed
 *   UNSYNCED_BOOT_ID       what /proc/sys/kernel/random/boot_id reads as: a power cut begins a new boot
 *   UNSYNCED_DELAY_MICROS  an fsync takes a random time up to this, and does nothing else: the journal is the disk
 *
 * A record is written before its change, so that a kill between the two leaves a record whose undoing does nothing. A sync is
 * recorded after its delay, and covers what was recorded before it began. Positions in the journal order everything.
 *
 *    0 u32 length of the record    24 u64 position        40 u32 length of text 1    52 u32 length of the new bytes
 *    4 u16 kind                    32 u64 length of       44 u32 length of text 2    56 texts, old bytes, new bytes
 *    6 u16 flags                          file before     48 u32 length of the
 *    8 u64 inode                                                 old bytes
 *   16 u64 inode of the folder
 *
 * What it can't follow (shared writable maps, stdio streams) it names in the journal, and unseen.mjs finds what it missed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { WRITE = 1, SIZE, CREATE, IDENTITY, RENAME, REMOVE, MAKE_FOLDER, REMOVE_FOLDER, SYNC, SYNC_ALL, UNSEEN };
enum { DURABLE = 1, KEPT = 2, EXCHANGE = 4, DATA_ONLY = 8 };

/* The system call itself: the name `syscall` is taken over below. */
typedef long (*system_call)(long, ...);
static system_call find_kernel(void) {
  static system_call found;
  if (found == NULL) *(void **)&found = dlsym(RTLD_NEXT, "syscall");
  return found;
}
#define kernel find_kernel()

#define REAL(name)                                                     \
  static __typeof__(&name) real_##name;                                \
  if (real_##name == NULL) *(void **)&real_##name = dlsym(RTLD_NEXT, #name)

struct record {
  uint32_t length;
  uint16_t kind, flags;
  uint64_t inode, folder, position, before;
  uint32_t text1, text2, old, new;
} __attribute__((packed));

struct change {
  uint16_t kind, flags;
  uint64_t inode, folder, position, before;
  const char *text1, *text2;
  const void *old;
  size_t old_length;
  const struct iovec *new;
  int new_count;
};

static char folder[PATH_MAX], journal[PATH_MAX];
static size_t folder_length;
static dev_t device;
static int journal_fd = -1;
static uint64_t journal_end;
static unsigned delay_micros;
static _Atomic int boot_fd = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The inodes below the folder that were opened; none is ever forgotten, links in `kept` keep their numbers from being reused. */
static uint64_t *tracked;
static size_t tracked_count, tracked_size;

static void give_up(const char *what) {
  dprintf(2, "unsynced: %s: %s\n", what, strerror(errno));
  abort();
}

static ssize_t raw_write(int fd, const void *bytes, size_t length) { return kernel(SYS_write, fd, bytes, length); }

static void start(void) {
  const char *path = getenv("UNSYNCED_FOLDER"), *where = getenv("UNSYNCED_JOURNAL"), *delay = getenv("UNSYNCED_DELAY_MICROS");
  if (path == NULL || where == NULL) return;
  struct stat status;
  if (stat(path, &status) != 0) give_up(path);
  device = status.st_dev;
  snprintf(folder, sizeof folder, "%s", path);
  folder_length = strlen(folder);
  snprintf(journal, sizeof journal, "%s", where);
  delay_micros = delay == NULL ? 0 : (unsigned)atoi(delay);
  char file[PATH_MAX + 16];
  snprintf(file, sizeof file, "%s/journal", journal);
  journal_fd = (int)kernel(SYS_openat, AT_FDCWD, file, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (journal_fd < 0 || fstat(journal_fd, &status) != 0) give_up(file);
  journal_end = (uint64_t)status.st_size;
  tracked_size = 4096;
  tracked = calloc(tracked_size, sizeof *tracked);
}

static int recording(void) {
  pthread_once(&once, start);
  return journal_fd >= 0;
}

/* ---- what is below the folder ---- */

static size_t slot_of(uint64_t inode) {
  size_t slot = (inode * 0x9e3779b97f4a7c15u) >> 20 & (tracked_size - 1);
  while (tracked[slot] != 0 && tracked[slot] != inode) slot = (slot + 1) & (tracked_size - 1);
  return slot;
}

static void track(uint64_t inode) {
  if (tracked_count * 2 >= tracked_size) {
    uint64_t *before = tracked;
    size_t size = tracked_size;
    tracked_size *= 2;
    tracked = calloc(tracked_size, sizeof *tracked);
    for (size_t i = 0; i < size; i++)
      if (before[i] != 0) tracked[slot_of(before[i])] = before[i];
    free(before);
  }
  size_t slot = slot_of(inode);
  if (tracked[slot] == 0) tracked_count++;
  tracked[slot] = inode;
}

static int is_tracked(const struct stat *status) {
  return status->st_dev == device && tracked[slot_of(status->st_ino)] != 0;
}

/* The absolute path, without `//`, `.` and `..`; whether it is below the folder. */
static int below(int at, const char *path, char out[PATH_MAX]) {
  if (!recording() || path == NULL) return 0;
  char whole[2 * PATH_MAX];
  if (path[0] == '/') {
    snprintf(whole, sizeof whole, "%s", path);
  } else {
    char base[PATH_MAX], link[64];
    ssize_t length;
    if (at == AT_FDCWD) {
      if (getcwd(base, sizeof base) == NULL) return 0;
    } else {
      snprintf(link, sizeof link, "/proc/self/fd/%d", at);
      length = readlink(link, base, sizeof base - 1);
      if (length < 0) return 0;
      base[length] = 0;
    }
    snprintf(whole, sizeof whole, "%s/%s", base, path);
  }
  size_t end = 0;
  for (const char *part = whole; *part != 0;) {
    while (*part == '/') part++;
    size_t length = strcspn(part, "/");
    if (length == 2 && part[0] == '.' && part[1] == '.') {
      while (end > 0 && out[--end] != '/') continue;
    } else if (length > 0 && !(length == 1 && part[0] == '.')) {
      if (end + length + 2 > PATH_MAX) return 0;
      out[end++] = '/';
      memcpy(out + end, part, length);
      end += length;
    }
    part += length;
  }
  out[end] = 0;
  return strncmp(out, folder, folder_length) == 0 && out[folder_length] == '/';
}

static uint64_t inode_of(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 ? status.st_ino : 0;
}

static uint64_t folder_of(const char *path) {
  char parent[PATH_MAX];
  snprintf(parent, sizeof parent, "%s", path);
  *strrchr(parent, '/') = 0;
  struct stat status;
  return stat(parent, &status) == 0 ? status.st_ino : 0;
}

/* ---- the journal; the lock is held ---- */

static char *append(char *end, const void *bytes, size_t length) {
  if (length > 0) memcpy(end, bytes, length);
  return end + length;
}

static uint64_t note(const struct change *change) {
  struct record record = {
      .kind = change->kind,
      .flags = change->flags,
      .inode = change->inode,
      .folder = change->folder,
      .position = change->position,
      .before = change->before,
      .text1 = change->text1 == NULL ? 0 : (uint32_t)strlen(change->text1),
      .text2 = change->text2 == NULL ? 0 : (uint32_t)strlen(change->text2),
      .old = (uint32_t)change->old_length,
  };
  for (int i = 0; i < change->new_count; i++) record.new += (uint32_t)change->new[i].iov_len;
  record.length = (uint32_t)sizeof record + record.text1 + record.text2 + record.old + record.new;
  /* In one piece, so that a kill leaves a record that is whole or at least seen to be cut. */
  char *bytes = malloc(record.length), *end = bytes;
  end = append(end, &record, sizeof record);
  end = append(end, change->text1, record.text1);
  end = append(end, change->text2, record.text2);
  end = append(end, change->old, record.old);
  for (int i = 0; i < change->new_count; i++) end = append(end, change->new[i].iov_base, change->new[i].iov_len);
  for (size_t done = 0; done < record.length;) {
    ssize_t written = raw_write(journal_fd, bytes + done, record.length - done);
    if (written < 0 && errno != EINTR) give_up("the journal can't be written");
    if (written > 0) done += (size_t)written;
  }
  free(bytes);
  uint64_t position = journal_end;
  journal_end += record.length;
  return position;
}

static void note_unseen(const char *what, const char *path) {
  note(&(struct change){.kind = UNSEEN, .text1 = what, .text2 = path});
}

/* What was made at a path is known by its inode only afterwards. */
static void note_identity(uint64_t position, const char *path) {
  uint64_t inode = inode_of(path);
  if (inode == 0) return;
  track(inode);
  note(&(struct change){.kind = IDENTITY, .inode = inode, .position = position});
}

/* A second link, by which a file that is about to lose its name can be brought back. */
static int keep(const char *path) {
  char kept[PATH_MAX + 64];
  snprintf(kept, sizeof kept, "%s/kept/%llu", journal, (unsigned long long)journal_end);
  return kernel(SYS_linkat, AT_FDCWD, path, AT_FDCWD, kept, 0) == 0;
}

/* Bytes [offset, offset + length) of an open file as they are, as far as it goes. */
static char *bytes_of(int fd, uint64_t offset, size_t length, size_t *read) {
  char link[64], *bytes = malloc(length + 1);
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int reader = (int)kernel(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC);
  if (reader < 0) give_up("a file can't be read before it is written");
  *read = 0;
  while (*read < length) {
    ssize_t got = pread(reader, bytes + *read, length - *read, (off_t)(offset + *read));
    if (got < 0) give_up("a file can't be read before it is written");
    if (got == 0) break;
    *read += (size_t)got;
  }
  kernel(SYS_close, reader);
  return bytes;
}

static void note_size(int fd, const struct stat *status, uint64_t size) {
  size_t old = 0;
  char *bytes = NULL;
  if (size < (uint64_t)status->st_size) bytes = bytes_of(fd, size, (size_t)status->st_size - size, &old);
  note(&(struct change){.kind = SIZE, .inode = status->st_ino, .position = size, .before = (uint64_t)status->st_size,
                        .old = bytes, .old_length = old});
  free(bytes);
}

/* Whether a write goes to a file of ours; then the lock is taken, the write recorded. `offset` −1: where the file stands. */
static int begin_write(int fd, const struct iovec *new, int count, off_t offset) {
  struct stat status;
  int failure = errno;
  int regular = recording() && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  errno = failure;
  if (!regular) return 0;
  pthread_mutex_lock(&lock);
  if (!is_tracked(&status)) {
    pthread_mutex_unlock(&lock);
    return 0;
  }
  fstat(fd, &status);
  int flags = fcntl(fd, F_GETFL);
  uint64_t at = flags & O_APPEND ? (uint64_t)status.st_size : (uint64_t)(offset < 0 ? lseek(fd, 0, SEEK_CUR) : offset);
  size_t length = 0, old = 0;
  for (int i = 0; i < count; i++) length += new[i].iov_len;
  char *bytes = at < (uint64_t)status.st_size ? bytes_of(fd, at, length, &old) : NULL;
  note(&(struct change){.kind = WRITE, .flags = flags & O_DSYNC ? DURABLE : 0, .inode = status.st_ino, .position = at,
                        .before = (uint64_t)status.st_size, .old = bytes, .old_length = old, .new = new, .new_count = count});
  free(bytes);
  errno = failure;
  return 1;
}

/* ---- files opened and made ---- */

static int open_at(int at, const char *path, int flags, mode_t mode) {
  char whole[PATH_MAX];
  if (!below(at, path, whole)) {
    int fd = (int)kernel(SYS_openat, at, path, flags, mode);
    if (fd >= 0 && path != NULL && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0) boot_fd = fd;
    return fd;
  }
  pthread_mutex_lock(&lock);
  struct stat status;
  int exists = stat(whole, &status) == 0;
  uint64_t position = 0;
  if ((flags & O_TMPFILE) == O_TMPFILE) note_unseen("O_TMPFILE", whole);
  else if (flags & O_CREAT && !exists) position = note(&(struct change){.kind = CREATE, .folder = folder_of(whole), .text1 = whole}) + 1;
  if (flags & O_TRUNC && exists && S_ISREG(status.st_mode) && status.st_size > 0) {
    int fd = (int)kernel(SYS_openat, AT_FDCWD, whole, O_RDONLY | O_CLOEXEC);
    if (fd < 0) give_up(whole);
    note_size(fd, &status, 0);
    kernel(SYS_close, fd);
  }
  int fd = (int)kernel(SYS_openat, at, path, flags, mode), failure = errno;
  if (fd >= 0 && fstat(fd, &status) == 0) {
    track(status.st_ino);
    if (position > 0) note_identity(position - 1, whole);
  }
  pthread_mutex_unlock(&lock);
  errno = failure;
  return fd;
}

#define MODE(flags, last)                                             \
  mode_t mode = 0;                                                    \
  if (flags & (O_CREAT | O_TMPFILE)) {                                \
    va_list list;                                                     \
    va_start(list, last);                                             \
    mode = (mode_t)va_arg(list, int);                                 \
    va_end(list);                                                     \
  }

int open(const char *path, int flags, ...) { MODE(flags, flags) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags, flags) return open_at(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags, flags) return open_at(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags, flags) return open_at(at, path, flags, mode); }
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

static void check_stream(const char *path, const char *mode) {
  char whole[PATH_MAX];
  if (strpbrk(mode, "wa+") == NULL || !below(AT_FDCWD, path, whole)) return;
  pthread_mutex_lock(&lock);
  note_unseen("fopen", whole);
  pthread_mutex_unlock(&lock);
}

FILE *fopen(const char *path, const char *mode) {
  REAL(fopen);
  check_stream(path, mode);
  return real_fopen(path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
  REAL(fopen64);
  check_stream(path, mode);
  return real_fopen64(path, mode);
}

/* The boot id is only lent: the reader checks that the descriptor is one of procfs. */
ssize_t read(int fd, void *bytes, size_t length) {
  ssize_t got = kernel(SYS_read, fd, bytes, length);
  if (got > 0 && boot_fd == fd) {
    const char *id = getenv("UNSYNCED_BOOT_ID");
    boot_fd = -1;
    if (id != NULL) memcpy(bytes, id, strlen(id) < (size_t)got ? strlen(id) : (size_t)got);
  }
  return got;
}

/* ---- contents ---- */

#define WRITES(fd, vector, count, offset, call)       \
  int ours = begin_write(fd, vector, count, offset);  \
  ssize_t written = call;                             \
  if (ours) pthread_mutex_unlock(&lock);              \
  return written

ssize_t write(int fd, const void *bytes, size_t length) {
  struct iovec one = {(void *)bytes, length};
  WRITES(fd, &one, 1, -1, raw_write(fd, bytes, length));
}

ssize_t writev(int fd, const struct iovec *vector, int count) {
  WRITES(fd, vector, count, -1, kernel(SYS_writev, fd, vector, count));
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  struct iovec one = {(void *)bytes, length};
  WRITES(fd, &one, 1, offset, kernel(SYS_pwrite64, fd, bytes, length, offset));
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) { return pwrite(fd, bytes, length, offset); }

ssize_t pwritev(int fd, const struct iovec *vector, int count, off_t offset) {
  WRITES(fd, vector, count, offset, kernel(SYS_pwritev, fd, vector, count, offset, 0));
}

ssize_t pwritev64(int fd, const struct iovec *vector, int count, off_t offset) {
  return pwritev(fd, vector, count, offset);
}

/* Callers fall back to reading and writing. */
ssize_t sendfile(int out, int in, off_t *offset, size_t length) {
  struct stat status;
  if (recording() && fstat(out, &status) == 0 && S_ISREG(status.st_mode)) {
    errno = EINVAL;
    return -1;
  }
  return kernel(SYS_sendfile, out, in, offset, length);
}

ssize_t sendfile64(int out, int in, off_t *offset, size_t length) { return sendfile(out, in, offset, length); }

int ftruncate(int fd, off_t length) {
  struct stat status;
  if (!recording() || fstat(fd, &status) != 0) return (int)kernel(SYS_ftruncate, fd, length);
  pthread_mutex_lock(&lock);
  if (is_tracked(&status) && fstat(fd, &status) == 0) note_size(fd, &status, (uint64_t)length);
  int result = (int)kernel(SYS_ftruncate, fd, length), failure = errno;
  pthread_mutex_unlock(&lock);
  errno = failure;
  return result;
}

int ftruncate64(int fd, off_t length) { return ftruncate(fd, length); }

int truncate(const char *path, off_t length) {
  char whole[PATH_MAX];
  if (!below(AT_FDCWD, path, whole)) return (int)kernel(SYS_truncate, path, length);
  int fd = open_at(AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
  if (fd < 0) return -1;
  int result = ftruncate(fd, length), failure = errno;
  kernel(SYS_close, fd);
  errno = failure;
  return result;
}

int truncate64(const char *path, off_t length) { return truncate(path, length); }

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  struct stat status;
  if (fd >= 0 && flags & MAP_SHARED && protection & PROT_WRITE && recording() && fstat(fd, &status) == 0) {
    pthread_mutex_lock(&lock);
    if (is_tracked(&status)) {
      char link[64], path[PATH_MAX] = "";
      snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
      if (readlink(link, path, sizeof path - 1) < 0) path[0] = 0;
      note_unseen("mmap", path);
    }
    pthread_mutex_unlock(&lock);
  }
  return (void *)kernel(SYS_mmap, address, length, protection, flags, fd, offset);
}

void *mmap64(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  return mmap(address, length, protection, flags, fd, offset);
}

/* ---- syncs ---- */

static int sync_one(int fd, int flags, int number) {
  struct stat status;
  if (!recording() || fstat(fd, &status) != 0) return (int)kernel(number, fd);
  pthread_mutex_lock(&lock);
  int ours = is_tracked(&status);
  uint64_t begun = journal_end;
  pthread_mutex_unlock(&lock);
  if (!ours) return (int)kernel(number, fd);
  if (delay_micros > 0) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    usleep((unsigned)(((uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u) >> 33) % delay_micros);
  }
  pthread_mutex_lock(&lock);
  note(&(struct change){.kind = SYNC, .flags = (uint16_t)flags, .inode = status.st_ino, .position = begun});
  pthread_mutex_unlock(&lock);
  return 0;
}

int fsync(int fd) { return sync_one(fd, 0, SYS_fsync); }
int fdatasync(int fd) { return sync_one(fd, DATA_ONLY, SYS_fdatasync); }

static void sync_all(void) {
  if (!recording()) return;
  pthread_mutex_lock(&lock);
  note(&(struct change){.kind = SYNC_ALL, .position = journal_end});
  pthread_mutex_unlock(&lock);
}

void sync(void) {
  kernel(SYS_sync);
  sync_all();
}

int syncfs(int fd) {
  sync_all();
  return (int)kernel(SYS_syncfs, fd);
}

/* ---- names ---- */

static int rename_at(int at1, const char *from, int at2, const char *to, unsigned flags) {
  char source[PATH_MAX], target[PATH_MAX];
  int from_ours = below(at1, from, source), to_ours = below(at2, to, target);
  if (!from_ours && !to_ours) return (int)kernel(SYS_renameat2, at1, from, at2, to, flags);
  pthread_mutex_lock(&lock);
  uint64_t inode = inode_of(source);
  if (from_ours != to_ours) note_unseen("rename across the border", from_ours ? source : target);
  else if (inode != 0) {
    uint16_t how = flags & RENAME_EXCHANGE ? EXCHANGE : 0;
    if (flags == 0 && inode_of(target) != 0 && keep(target)) how |= KEPT;
    note(&(struct change){.kind = RENAME, .flags = how, .inode = inode, .folder = folder_of(source),
                          .position = folder_of(target), .text1 = source, .text2 = target});
  }
  int result = (int)kernel(SYS_renameat2, at1, from, at2, to, flags), failure = errno;
  pthread_mutex_unlock(&lock);
  errno = failure;
  return result;
}

int rename(const char *from, const char *to) { return rename_at(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int at1, const char *from, int at2, const char *to) { return rename_at(at1, from, at2, to, 0); }
int renameat2(int at1, const char *from, int at2, const char *to, unsigned flags) {
  return rename_at(at1, from, at2, to, flags);
}

static int remove_at(int at, const char *path, int flags) {
  char whole[PATH_MAX];
  if (!below(at, path, whole)) return (int)kernel(SYS_unlinkat, at, path, flags);
  pthread_mutex_lock(&lock);
  struct stat status;
  if (lstat(whole, &status) == 0 && !S_ISDIR(status.st_mode) == !(flags & AT_REMOVEDIR)) {
    struct change change = {.kind = REMOVE, .inode = status.st_ino, .folder = folder_of(whole), .text1 = whole};
    if (flags & AT_REMOVEDIR) {
      change.kind = REMOVE_FOLDER;
      change.position = status.st_mode & 07777;
    } else if (keep(whole)) {
      change.flags = KEPT;
    }
    note(&change);
  }
  int result = (int)kernel(SYS_unlinkat, at, path, flags), failure = errno;
  pthread_mutex_unlock(&lock);
  errno = failure;
  return result;
}

int unlink(const char *path) { return remove_at(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return remove_at(at, path, flags); }
int rmdir(const char *path) { return remove_at(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  int result = remove_at(AT_FDCWD, path, 0);
  return result != 0 && errno == EISDIR ? remove_at(AT_FDCWD, path, AT_REMOVEDIR) : result;
}

/* Everything else that gives a name to something: `made` is the system call's answer. */
#define MAKES(kind_, at, path, call)                                                                       \
  char whole[PATH_MAX];                                                                                    \
  if (!below(at, path, whole)) return (int)call;                                                           \
  pthread_mutex_lock(&lock);                                                                               \
  int absent = inode_of(whole) == 0;                                                                       \
  uint64_t position = absent ? note(&(struct change){.kind = kind_, .folder = folder_of(whole), .text1 = whole}) : 0; \
  int result = (int)call, failure = errno;                                                                 \
  if (result == 0 && absent) note_identity(position, whole);                                               \
  pthread_mutex_unlock(&lock);                                                                             \
  errno = failure;                                                                                         \
  return result

int mkdirat(int at, const char *path, mode_t mode) { MAKES(MAKE_FOLDER, at, path, kernel(SYS_mkdirat, at, path, mode)); }
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
int symlinkat(const char *to, int at, const char *path) { MAKES(CREATE, at, path, kernel(SYS_symlinkat, to, at, path)); }
int symlink(const char *to, const char *path) { return symlinkat(to, AT_FDCWD, path); }
int linkat(int at1, const char *from, int at, const char *path, int flags) {
  MAKES(CREATE, at, path, kernel(SYS_linkat, at1, from, at, path, flags));
}
int link(const char *from, const char *path) { return linkat(AT_FDCWD, from, AT_FDCWD, path, 0); }

/* ---- calls made by number ---- */

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
       e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (recording()) {
    switch (number) {
      case SYS_renameat2:
        return rename_at((int)a, (const char *)b, (int)c, (const char *)d, (unsigned)e);
      /* Callers that ask for these by number know how to do without. */
      case SYS_io_uring_setup:
      case SYS_copy_file_range:
      case SYS_fallocate:
      case SYS_openat2:
      case SYS_pwritev2:
        errno = ENOSYS;
        return -1;
      default:
        break;
    }
  }
  return kernel(number, a, b, c, d, e, f);
}
