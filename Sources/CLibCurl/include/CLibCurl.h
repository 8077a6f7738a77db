#ifndef DAEDALUS_CLIBCURL_H
#define DAEDALUS_CLIBCURL_H
#include <curl/curl.h>
#include <stddef.h>
#include <time.h>

/* libcurl brings about thirty libraries, whose loading costs more than the reading of a small file: so it is not linked but
   loaded at first use, and every function of it stands here once more. The types are those of its own header. */

/* Loads libcurl and sets it up. Gives NULL, or why it cannot be used: a text that lives as long as the thread. To be
   called once; nothing else here may be called before it gave NULL. */
const char *dae_curl_load(void);

CURL *dae_curl_easy_init(void);
void dae_curl_easy_cleanup(CURL *handle);
const char *dae_curl_easy_strerror(CURLcode status);

CURLM *dae_curl_multi_init(void);
void dae_curl_multi_cleanup(CURLM *multi);
CURLMcode dae_curl_multi_add_handle(CURLM *multi, CURL *handle);
CURLMcode dae_curl_multi_remove_handle(CURLM *multi, CURL *handle);
CURLMcode dae_curl_multi_perform(CURLM *multi, int *running);
CURLMcode dae_curl_multi_poll(CURLM *multi, int milliseconds);
CURLMcode dae_curl_multi_wakeup(CURLM *multi);
CURLMsg *dae_curl_multi_info_read(CURLM *multi, int *left);

struct curl_slist *dae_curl_slist_append(struct curl_slist *list, const char *text);
void dae_curl_slist_free_all(struct curl_slist *list);

CURLU *dae_curl_url(void);
CURLU *dae_curl_url_dup(CURLU *url);
void dae_curl_url_cleanup(CURLU *url);
CURLUcode dae_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned flags);
CURLUcode dae_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags);
const char *dae_curl_url_strerror(CURLUcode status);

/* Gives back what dae_curl_url_get gave. */
void dae_curl_free(void *text);
time_t dae_curl_getdate(const char *text);

/* libcurl's setters and getters are variadic, which Swift cannot call: one typed function for each kind of value. */

typedef size_t (*dae_curl_receiver)(char *bytes, size_t size, size_t count, void *context);
typedef size_t (*dae_curl_sender)(char *bytes, size_t size, size_t count, void *context);
typedef int (*dae_curl_seeker)(void *context, curl_off_t offset, int origin);
typedef curl_socket_t (*dae_curl_opener)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*dae_curl_listener)(CURL *handle, curl_infotype kind, char *bytes, size_t count, void *context);

CURLcode dae_curl_set_number(CURL *handle, CURLoption option, long value);
CURLcode dae_curl_set_text(CURL *handle, CURLoption option, const char *value);

/* `buffer` must hold CURL_ERROR_SIZE bytes and outlive the handle. */
CURLcode dae_curl_set_error_buffer(CURL *handle, char *buffer);

CURLcode dae_curl_set_header_receiver(CURL *handle, dae_curl_receiver receiver, void *context);
CURLcode dae_curl_set_body_receiver(CURL *handle, dae_curl_receiver receiver, void *context);

CURLcode dae_curl_set_body_sender(CURL *handle, dae_curl_sender sender, dae_curl_seeker seeker, void *context);
CURLcode dae_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value);

/* `list` must outlive the handle's transfer. */
CURLcode dae_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list);

CURLcode dae_curl_set_opener(CURL *handle, dae_curl_opener opener, void *context);
CURLcode dae_curl_set_listener(CURL *handle, dae_curl_listener listener, void *context);
CURLMcode dae_curl_multi_set_number(CURLM *multi, CURLMoption option, long value);

/* Writes the address in network order, and gives the number of its bytes: 4 or 16, 0 for any other family. The structure
   is followed by as many bytes as `addrlen` says. */
int dae_curl_address(const struct curl_sockaddr *address, unsigned char bytes[16]);

/* What libcurl would do itself, but that no child process inherits the socket. */
curl_socket_t dae_curl_open(const struct curl_sockaddr *address);

CURLcode dae_curl_get_text(CURL *handle, CURLINFO info, char **value);
CURLcode dae_curl_get_number(CURL *handle, CURLINFO info, long *value);
CURLcode dae_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value);

#endif
