# SPDX-License-Identifier: MIT
# pages.cmake: manual pages and completions of shells, written by the program: cmake -D program=... -D to=... -P pages.cmake
function(write_page name)
  execute_process(COMMAND ${program} help ${ARGN} OUTPUT_FILE ${to}/${name} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "sluice help ${ARGN} failed: ${failed}")
  endif()
endfunction()

file(REMOVE_RECURSE ${to})
file(MAKE_DIRECTORY ${to}/man)
execute_process(COMMAND ${program} help OUTPUT_VARIABLE overview RESULT_VARIABLE failed)
string(REGEX MATCHALL "\n  [a-z]+ +[a-z]" commands "${overview}") # the list of commands, whatever there is
if(failed OR NOT commands)
  message(FATAL_ERROR "${program} help lists no commands")
endif()
write_page(man/sluice.1 --man)
foreach(line IN LISTS commands)
  string(REGEX REPLACE "^\n  ([a-z]+) .*$" "\\1" command "${line}")
  write_page(man/sluice-${command}.1 --man ${command})
endforeach()
write_page(sluice.bash --completion bash)
write_page(_sluice --completion zsh)
write_page(sluice.fish --completion fish)
