import { roles } from '@neuroloom/contract/accounts/roles'
import type { ReactNode } from 'react'
import type { UserRecord } from '../lib/session.ts'
import { AdminIcon, HomeIcon, MailIcon } from '../ui/pictures/pictograms.tsx'

type Entry = { name: 'home' | 'contact' | 'administration'; to: string; icon: ReactNode }

const home: Entry = { name: 'home', to: '/mangeHome', icon: <HomeIcon /> }
const contact: Entry = { name: 'contact', to: '/concat', icon: <MailIcon /> }
const administration: Entry = { name: 'administration', to: '/admin', icon: <AdminIcon /> }

/** The entries of the top bar; the server decides by itself what a role may do. */
export const entriesFor = ({ role }: Pick<UserRecord, 'role'>): readonly Entry[] =>
  role === roles.administrator ? [home, contact, administration] : [home, contact]
