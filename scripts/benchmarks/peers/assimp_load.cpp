// assimp's lightest import: no flags, so nothing is made of the scene afterwards. Each FILE in turn, in one process.
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <cstdio>

int main(int count, char **arguments) {
    unsigned long vertices = 0, meshes = 0;
    int failed = 0;
    for (int index = 1; index < count; index++) {
        Assimp::Importer importer;
        const aiScene *scene = importer.ReadFile(arguments[index], 0);
        if (!scene) {
            std::fprintf(stderr, "%s: %s\n", arguments[index], importer.GetErrorString());
            failed++;
            continue;
        }
        meshes += scene->mNumMeshes;
        for (unsigned mesh = 0; mesh < scene->mNumMeshes; mesh++) vertices += scene->mMeshes[mesh]->mNumVertices;
    }
    std::printf("meshes %lu vertices %lu failed %d\n", meshes, vertices, failed);
    return failed == count - 1;
}
