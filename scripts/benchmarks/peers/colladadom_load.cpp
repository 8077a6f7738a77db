// collada-dom: the whole document as its objects. The path must be absolute.
#include <1.4/dom/domCOLLADA.h>
#include <cstdio>
#include <dae.h>
#include <dae/daeDatabase.h>
#include <dom.h>

int main(int count, char **arguments) {
    if (count != 2) return 64;
    DAE dae(NULL, NULL, "1.4.1");
    if (!dae.open(std::string(arguments[1]))) return 1;
    daeDatabase *database = dae.getDatabase();
    std::printf("geometries %u nodes %u\n", database->getElementCount(0, "geometry", 0),
                database->getElementCount(0, "node", 0));
}
