/** What is known of one thing, in pairs; which facts those are is the caller's. */
import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** What something is called, and what it is. */
export type Fact = readonly [name: string, value: ReactNode]

/** Facts below each other; those without a value are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <FactRow key={name} name={name} value={value} />
        ))}
    </dl>
  )
}

function FactRow({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}
