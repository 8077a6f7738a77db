"""What the validators of OpenUSD's newest release say of .usdz files: one line of JSON a file."""

import sys

sys.dont_write_bytecode = True
from pxr import Usd, UsdValidation  # noqa: E402
from told import tell  # noqa: E402


def look(path):
    found = CONTEXT.Validate(Usd.Stage.Open(path))
    return {"errors": sorted({f"{error.GetName()}: {error.GetMessage()}" for error in found})}


CONTEXT = UsdValidation.ValidationContext(UsdValidation.ValidationRegistry().GetOrLoadAllValidators())
tell(look, sys.argv[1:])
