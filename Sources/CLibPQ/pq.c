#include "CLibPQ.h"

#include <dlfcn.h>
#include <stddef.h>

typedef void (*receiver)(void *, const dae_pq_result *);

#define DAE_PQ_MEMBER(type, name, parameters, arguments) type(*name) parameters;
static struct {
    DAE_PQ_FUNCTIONS(DAE_PQ_MEMBER)
    receiver (*setNoticeReceiver)(dae_pq_connection *, receiver, void *);
} pq;

#ifdef __APPLE__
static const char *const names[] = {"libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib"};
#else
static const char *const names[] = {"libpq.so.5"};
#endif

const char *dae_pq_load(void) {
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define DAE_PQ_FIND(type, name, parameters, arguments)                                                                 \
    pq.name = (__typeof__(pq.name))dlsym(library, "PQ" #name);                                                         \
    if (!pq.name) return dlerror();
    DAE_PQ_FUNCTIONS(DAE_PQ_FIND)
    DAE_PQ_FIND(, setNoticeReceiver, , )
    return NULL;
}

#define DAE_PQ_DEFINE(type, name, parameters, arguments)                                                               \
    type dae_pq_##name parameters { return pq.name arguments; }
DAE_PQ_FUNCTIONS(DAE_PQ_DEFINE)

static void drop(void *context, const dae_pq_result *notice) {}
void dae_pq_silence(dae_pq_connection *c) { pq.setNoticeReceiver(c, drop, NULL); }
