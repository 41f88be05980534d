import styles from './items.module.css'

/** So much of the end stays: it tells items of a folder apart. */
const END = 12

/** In one line: where there is too little room, the middle is left out. */
export function ItemName({ name }: { name: string }) {
  const letters = Array.from(name)
  return (
    <span className={styles.name} title={name}>
      <span>{letters.slice(0, -END).join('')}</span>
      <span>{letters.slice(-END).join('')}</span>
    </span>
  )
}
