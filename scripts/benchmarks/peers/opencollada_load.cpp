// OpenCOLLADA's loader with a writer that only counts: every object is made, handed over and given back.
#include <COLLADAFWGeometry.h>
#include <COLLADAFWIWriter.h>
#include <COLLADAFWMesh.h>
#include <COLLADAFWRoot.h>
#include <COLLADASaxFWLIError.h>
#include <COLLADASaxFWLIErrorHandler.h>
#include <COLLADASaxFWLLoader.h>
#include <cstdio>

using namespace COLLADAFW;

struct Counter : IWriter {
    unsigned long geometries = 0, triangles = 0, positions = 0, animations = 0;
    void cancel(const String &reason) override { std::fprintf(stderr, "cancelled: %s\n", reason.c_str()); }
    void start() override {}
    void finish() override {}
    bool writeGlobalAsset(const FileInfo *) override { return true; }
    bool writeScene(const Scene *) override { return true; }
    bool writeVisualScene(const VisualScene *) override { return true; }
    bool writeLibraryNodes(const LibraryNodes *) override { return true; }
    bool writeGeometry(const Geometry *geometry) override {
        geometries++;
        if (geometry->getType() == Geometry::GEO_TYPE_MESH) {
            auto *mesh = const_cast<Mesh *>(static_cast<const Mesh *>(geometry));
            triangles += mesh->getTrianglesTriangleCount();
            positions += mesh->getPositions().getValuesCount() / 3;
        }
        return true;
    }
    bool writeMaterial(const Material *) override { return true; }
    bool writeEffect(const Effect *) override { return true; }
    bool writeCamera(const Camera *) override { return true; }
    bool writeImage(const Image *) override { return true; }
    bool writeLight(const Light *) override { return true; }
    bool writeAnimation(const Animation *) override { animations++; return true; }
    bool writeAnimationList(const AnimationList *) override { return true; }
    bool writeSkinControllerData(const SkinControllerData *) override { return true; }
    bool writeController(const Controller *) override { return true; }
    bool writeFormulas(const Formulas *) override { return true; }
    bool writeKinematicsScene(const KinematicsScene *) override { return true; }
};

struct Errors : COLLADASaxFWL::IErrorHandler {
    unsigned count = 0;
    bool handleError(const COLLADASaxFWL::IError *) override { count++; return false; }
};

int main(int count, char **arguments) {
    if (count != 2) return 64;
    Errors errors;
    Counter counter;
    COLLADASaxFWL::Loader loader(&errors);
    Root root(&loader, &counter);
    bool ok = root.loadDocument(arguments[1]);
    std::printf("geometries %lu positions %lu triangles %lu animations %lu errors %u\n", counter.geometries, counter.positions,
                counter.triangles, counter.animations, errors.count);
    return ok ? 0 : 1;
}
