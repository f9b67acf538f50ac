# Runs a line in a terminal of its own, says yes when it is asked, and types the code that it asks for. The lines with these
# questions are left out of what it says, which is all on stdout: `bash person.sh LINE`.
coproc SCREEN { exec script -qec "$1" /dev/null 2>&1; }
pid=$SCREEN_PID
exec 3<&"${SCREEN[0]}" 4>&"${SCREEN[1]}"
said= typed=
while IFS= read -r -N 1 -u 3 letter; do
  said+=$letter
  if [[ -z $typed && $said =~ Type\ ([0-9]{4})\ to\ continue:\ $ ]]; then
    typed=${BASH_REMATCH[1]}
    echo "$typed" >&4
  elif [[ $said =~ \[y/N\]\ $ ]]; then
    echo y >&4
  fi
done
wait "$pid"
code=$?
printf '%s' "$said" | sed -E '/Type [0-9]{4} to continue: |\[y\/N\] /d'
exit "$code"
