/* Stands between a program and its files: counts the calls that change what lies under a folder, and has one of them
   fail, or kills the process there. Preloaded; the program arms it by faults_arm, as often as it forks. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char under[PATH_MAX]; /* "" is disarmed */
static char kinds[256];      /* "write,fsync," or "" for all */
static long at;              /* the first that fails, from 1; 0 is none */
static int action;           /* 0 counts, -1 kills before, -2 after half of a write, -3 after the call; else an errno */
static int sticky;           /* whether all later ones fail too */
static int list = -1;        /* where each call is noted */
static atomic_long count;

void faults_arm(const char *folder, const char *of, long first, int what, int stays, const char *log)
{
    snprintf(kinds, sizeof kinds, "%s", of);
    at = first;
    action = what;
    sticky = stays;
    atomic_store(&count, 0);
    if (list >= 0)
        close(list);
    list = *log ? open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    snprintf(under, sizeof under, "%s", folder);
}

long faults_count(void) { return atomic_load(&count); }

static void end(void)
{
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    for (;;)
        pause();
}

static int inside(const char *path)
{
    size_t length = strlen(under);
    return length && !strncmp(path, under, length) && (path[length] == '/' || !path[length]);
}

static int path_inside(int folder, const char *path, char *whole)
{
    if (!*under || !path)
        return 0;
    if (*path == '/')
        snprintf(whole, PATH_MAX, "%s", path);
    else {
        char link[64], base[PATH_MAX];
        ssize_t n;
        if (folder == AT_FDCWD)
            snprintf(link, sizeof link, "/proc/self/cwd");
        else
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        n = readlink(link, base, sizeof base - 1);
        if (n < 0)
            return 0;
        base[n] = 0;
        if ((size_t)snprintf(whole, PATH_MAX, "%s/%s", base, path) >= PATH_MAX)
            return 0;
    }
    return inside(whole);
}

static int file_inside(int fd, char *whole)
{
    char link[64];
    ssize_t n;
    if (!*under || fd == list)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, whole, PATH_MAX - 1);
    if (n < 0)
        return 0;
    whole[n] = 0;
    return inside(whole);
}

/* Returns what is to be done at this call: 0, or the action; kills at once where that is it. */
static int met(const char *kind, const char *path)
{
    char name[40];
    long number;
    snprintf(name, sizeof name, "%s,", kind);
    if (*kinds && !strstr(kinds, name))
        return 0;
    number = atomic_fetch_add(&count, 1) + 1;
    if (list >= 0) {
        char line[PATH_MAX + 64];
        int n = snprintf(line, sizeof line, "%ld %s %s\n", number, kind, path + strlen(under));
        syscall(SYS_write, list, line, (size_t)n);
    }
    if (!at || number < at || (number > at && !sticky))
        return 0;
    if (action == -1)
        end();
    return action;
}

#define NEXT(name) ((__typeof__(&name))next_(#name, (void *volatile *)&real_##name))
#define REAL(name) static void *volatile real_##name
static void *next_(const char *name, void *volatile *kept)
{
    if (!*kept)
        *kept = dlsym(RTLD_NEXT, name);
    return *kept;
}

#define FAIL(what)        \
    do {                  \
        if ((what) > 0) { \
            errno = what; \
            return -1;    \
        }                 \
    } while (0)

/* A call that leaves nothing half done: killed before it or after it. */
#define CALL(what, call)      \
    do {                      \
        int todo_ = (what);   \
        FAIL(todo_);          \
        __auto_type r_ = call; \
        if (todo_ < 0)        \
            end();            \
        return r_;            \
    } while (0)

REAL(write);
ssize_t write(int fd, const void *data, size_t size)
{
    char path[PATH_MAX];
    int what = file_inside(fd, path) ? met("write", path) : 0;
    FAIL(what);
    if (what == -2) {
        NEXT(write)(fd, data, size / 2);
        end();
    }
    CALL(what, NEXT(write)(fd, data, size));
}

REAL(pwrite);
ssize_t pwrite(int fd, const void *data, size_t size, off_t where)
{
    char path[PATH_MAX];
    CALL(file_inside(fd, path) ? met("write", path) : 0, NEXT(pwrite)(fd, data, size, where));
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t where) { return pwrite(fd, data, size, where); }

REAL(writev);
ssize_t writev(int fd, const struct iovec *pieces, int n)
{
    char path[PATH_MAX];
    CALL(file_inside(fd, path) ? met("write", path) : 0, NEXT(writev)(fd, pieces, n));
}

REAL(sendfile);
ssize_t sendfile(int to, int from, off_t *where, size_t size)
{
    char path[PATH_MAX];
    CALL(file_inside(to, path) ? met("write", path) : 0, NEXT(sendfile)(to, from, where, size));
}
ssize_t sendfile64(int to, int from, off64_t *where, size_t size) { return sendfile(to, from, (off_t *)where, size); }

REAL(fsync);
int fsync(int fd)
{
    char path[PATH_MAX];
    CALL(file_inside(fd, path) ? met("fsync", path) : 0, NEXT(fsync)(fd));
}

REAL(fdatasync);
int fdatasync(int fd)
{
    char path[PATH_MAX];
    CALL(file_inside(fd, path) ? met("fsync", path) : 0, NEXT(fdatasync)(fd));
}

REAL(ftruncate);
int ftruncate(int fd, off_t size)
{
    char path[PATH_MAX];
    CALL(file_inside(fd, path) ? met("truncate", path) : 0, NEXT(ftruncate)(fd, size));
}
int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

REAL(rename);
int rename(const char *from, const char *to)
{
    char path[PATH_MAX];
    CALL(path_inside(AT_FDCWD, to, path) ? met("rename", path) : 0, NEXT(rename)(from, to));
}

REAL(renameat);
int renameat(int in, const char *from, int out, const char *to)
{
    char path[PATH_MAX];
    CALL(path_inside(out, to, path) ? met("rename", path) : 0, NEXT(renameat)(in, from, out, to));
}

REAL(link);
int link(const char *from, const char *to)
{
    char path[PATH_MAX];
    CALL(path_inside(AT_FDCWD, to, path) ? met("link", path) : 0, NEXT(link)(from, to));
}

REAL(linkat);
int linkat(int in, const char *from, int out, const char *to, int flags)
{
    char path[PATH_MAX];
    CALL(path_inside(out, to, path) ? met("link", path) : 0, NEXT(linkat)(in, from, out, to, flags));
}

REAL(unlink);
int unlink(const char *name)
{
    char path[PATH_MAX];
    CALL(path_inside(AT_FDCWD, name, path) ? met("unlink", path) : 0, NEXT(unlink)(name));
}

REAL(unlinkat);
int unlinkat(int folder, const char *name, int flags)
{
    char path[PATH_MAX];
    CALL(path_inside(folder, name, path) ? met("unlink", path) : 0, NEXT(unlinkat)(folder, name, flags));
}

REAL(rmdir);
int rmdir(const char *name)
{
    char path[PATH_MAX];
    CALL(path_inside(AT_FDCWD, name, path) ? met("unlink", path) : 0, NEXT(rmdir)(name));
}

REAL(mkdir);
int mkdir(const char *name, mode_t mode)
{
    char path[PATH_MAX];
    CALL(path_inside(AT_FDCWD, name, path) ? met("mkdir", path) : 0, NEXT(mkdir)(name, mode));
}

REAL(mkdirat);
int mkdirat(int folder, const char *name, mode_t mode)
{
    char path[PATH_MAX];
    CALL(path_inside(folder, name, path) ? met("mkdir", path) : 0, NEXT(mkdirat)(folder, name, mode));
}

/* Files that are made or emptied, not those that are read. */
#define OPEN(name, folder, call)                                                                            \
    do {                                                                                                    \
        char whole_[PATH_MAX];                                                                              \
        va_list more_;                                                                                      \
        mode_t mode;                                                                                        \
        va_start(more_, flags);                                                                             \
        mode = flags & O_CREAT ? va_arg(more_, mode_t) : 0;                                                 \
        va_end(more_);                                                                                      \
        CALL(flags & (O_CREAT | O_TRUNC) && path_inside(folder, name, whole_) ? met("create", whole_) : 0, call); \
    } while (0)

REAL(open);
int open(const char *name, int flags, ...) { OPEN(name, AT_FDCWD, NEXT(open)(name, flags, mode)); }
REAL(open64);
int open64(const char *name, int flags, ...) { OPEN(name, AT_FDCWD, NEXT(open64)(name, flags, mode)); }
REAL(openat);
int openat(int folder, const char *name, int flags, ...) { OPEN(name, folder, NEXT(openat)(folder, name, flags, mode)); }
REAL(openat64);
int openat64(int folder, const char *name, int flags, ...)
{
    OPEN(name, folder, NEXT(openat64)(folder, name, flags, mode));
}
