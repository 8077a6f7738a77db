#ifndef DAEDALUS_CLIBXML2_SHIM_H
#define DAEDALUS_CLIBXML2_SHIM_H
#include <iconv.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

/// Receives the parser's user data and the error. (The library's own type gained its const in 2.12.)
typedef void (*daedalus_xml_error_handler)(void *context, const xmlError *error);

static inline void daedalus_xml_set_error_handler(xmlParserCtxtPtr parser, daedalus_xml_error_handler handler) {
    parser->sax->serror = (xmlStructuredErrorFunc)handler;
}
#endif
