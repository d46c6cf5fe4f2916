#!/bin/bash
# SPDX-License-Identifier: MIT
# A million random discrete states, and a thousand random networks to their end.
set -eu
"$SLUICE_BUILD/tests/test_tunnel_discrete" 10000
"$SLUICE_BUILD/tests/test_tunnel_random" 1000
"$SLUICE_BUILD/tests/test_tunnel_random" 1000 5000
