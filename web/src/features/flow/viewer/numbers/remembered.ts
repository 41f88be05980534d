/** Before and after are looked at by turns. */
const KEPT = 2

/** The last answers are kept: the next question is mostly the same. */
export function remembered<Ask, Answer>(make: (ask: Ask) => Answer): (ask: Ask) => Answer {
  const answers = new Map<string, Answer>()
  return (ask) => {
    const key = JSON.stringify(ask)
    const answer = answers.get(key) ?? make(ask)
    answers.delete(key)
    answers.set(key, answer)
    for (const [oldest] of answers) if (answers.size > KEPT) answers.delete(oldest)
    return answer
  }
}
