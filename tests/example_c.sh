# SPDX-License-Identifier: MIT
# Sourced by tests of the C examples: a temporary folder $work, and build_example NAME, which compiles examples/c/NAME.c against the
# public headers and the library alone into $work/NAME.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build_example() {
    local sanitize=() # a sanitised library wants a sanitised program
    case $(ldd "$SLUICE_LIBRARY") in # whole, not through a pipe that closes early
    *libasan*) sanitize=('-fsanitize=address,undefined') ;;
    *libtsan*) sanitize=(-fsanitize=thread) ;;
    esac
    "${SLUICE_CC:-cc}" "${sanitize[@]}" -std=c17 -Wall -Wextra -Werror -I "$SLUICE_SOURCE/include" -I "$SLUICE_SOURCE/cosim/include" "$SLUICE_SOURCE/examples/c/$1.c" \
        -o "$work/$1" -L "$SLUICE_BUILD" -Wl,-rpath,"$SLUICE_BUILD" -lsluice -lpthread -lm
}
