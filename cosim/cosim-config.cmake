# SPDX-License-Identifier: MIT
# find_package(cosim): the target `cosim`, also as cosim::cosim.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/cosim-targets.cmake)
if(NOT TARGET cosim::cosim)
  add_library(cosim::cosim ALIAS cosim)
endif()
