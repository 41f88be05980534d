import styles from './items.module.css'

/** In one line: where there is too little room, the end is kept, which tells items of a folder apart. */
export function ItemName({ name }: { name: string }) {
  return (
    <span className={styles.name} title={name}>
      <bdi>{name}</bdi>
    </span>
  )
}
