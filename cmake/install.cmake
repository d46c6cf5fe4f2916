# SPDX-License-Identifier: MIT
# install.cmake: program, libraries, headers, manual pages, completions of shells, the CMake package and sluice.pc.
#
# Nothing that is installed names the prefix: the tree may be moved as a whole (tests/house/test_package.py moves it).
# The static library leaves its dependencies to whoever links it. The package looks for them by name, sluice.pc lists them in
# Libs.private.
include(CMakePackageConfigHelpers)
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR and CMAKE_INSTALL_INCLUDEDIR must be relative to the prefix, e.g. lib64")
endif()
set(sluice_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)

# Names of the dependencies for a linker, and the folders of those that it does not search by itself.
set(sluice_private_names "")
set(sluice_private_flags "")
foreach(library IN ITEMS ${FYAML_LIBRARY} ${sluice_dae_libraries} ${AMD_LIBRARY} ${SUITESPARSECONFIG_LIBRARY})
  get_filename_component(name ${library} NAME_WE)
  get_filename_component(folder ${library} DIRECTORY)
  string(REGEX REPLACE "^lib" "" name ${name})
  list(APPEND sluice_private_names ${name})
  if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    list(APPEND sluice_private_flags -L${folder})
  endif()
  list(APPEND sluice_private_flags -l${name})
endforeach()
list(APPEND sluice_private_flags ${CMAKE_THREAD_LIBS_INIT})
foreach(name IN ITEMS ${CMAKE_DL_LIBS} m)
  list(APPEND sluice_private_flags -l${name})
endforeach()
list(REMOVE_DUPLICATES sluice_private_flags)
list(JOIN sluice_private_flags " " sluice_private_flags)

foreach(kind IN ITEMS shared static)
  target_include_directories(sluice_${kind} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS sluice_${kind} EXPORT sluice_${kind})
  install(EXPORT sluice_${kind} FILE sluice-${kind}.cmake NAMESPACE sluice:: DESTINATION ${sluice_package_dir})
endforeach()
set_target_properties(sluice_shared PROPERTIES EXPORT_NAME sluice)
# In the package the dependencies are targets that sluice-config.cmake makes.
foreach(name IN LISTS sluice_private_names)
  target_link_libraries(sluice_static INTERFACE $<INSTALL_INTERFACE:sluice::${name}>)
endforeach()
target_link_libraries(sluice_static INTERFACE $<INSTALL_INTERFACE:Threads::Threads>
  "$<INSTALL_INTERFACE:${CMAKE_DL_LIBS}>" $<INSTALL_INTERFACE:m>)

configure_package_config_file(cmake/sluice-config.cmake.in ${CMAKE_BINARY_DIR}/sluice-config.cmake
  INSTALL_DESTINATION ${sluice_package_dir} NO_SET_AND_CHECK_MACRO)
# A minor release of 0.x may change the interface; a program asks for the minor version that it was written for.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/sluice-config-version.cmake COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH sluice_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" sluice_pc_prefix ${sluice_pc_prefix})
configure_file(cmake/sluice.pc.in ${CMAKE_BINARY_DIR}/sluice.pc @ONLY)

install(TARGETS sluice)
install(DIRECTORY include/sluice DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/sluice-config.cmake ${CMAKE_BINARY_DIR}/sluice-config-version.cmake
  DESTINATION ${sluice_package_dir})
install(FILES ${CMAKE_BINARY_DIR}/sluice.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
# Manual pages and completions of shells, which the program itself writes from its tables of options.
if(NOT CMAKE_CROSSCOMPILING)
  set(sluice_pages ${CMAKE_BINARY_DIR}/pages)
  install(CODE "execute_process(COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:sluice> -D to=${sluice_pages}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/pages.cmake RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR \"the manual pages cannot be made\")
  endif()")
  install(DIRECTORY ${sluice_pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${sluice_pages}/sluice.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sluice)
  install(FILES ${sluice_pages}/_sluice DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${sluice_pages}/sluice.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
