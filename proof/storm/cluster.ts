/** The nodes of a storm: processes that are killed, stopped and started again while others call them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pick, type Random } from '../../test/faults/orders/order-random.ts';
import { type NodeProcess, startNodeProcess } from '../../test/support/node-process.ts';

export interface Cluster {
  /** One of those that answer calls; now and then one that is down, as a balancer has it that has not noticed. */
  address(random: Random): string;
  /** One that is up, for what must not fail. */
  sound(): string;
  /** Whether somebody answers calls, apart from this one. */
  isServing(without?: number): boolean;
  count: number;
  /** Ends a node without a word, and starts it again when that much time has passed. */
  kill(index: number, downMs: number): Promise<void>;
  /** Tells a node to stop, and starts it again when it has. */
  restart(index: number): Promise<void>;
  /** What nodes that were told to stop said with their exit, unless it was that all went well. */
  badExits: string[];
  stop(): Promise<void>;
}

interface Member {
  role: string;
  node: NodeProcess;
  isUp: boolean;
}

/** With three nodes or more the work is divided in every way that there is. */
const ROLES = ['all', 'api', 'worker'];
const roleOf = (index: number, count: number) => (count < 3 ? 'all' : (ROLES[index % 3] ?? 'all'));
const UNNOTICED = 0.05;
const LAST_WORDS = 1500;

export async function startCluster(
  program: string,
  count: number,
  env: Record<string, string>,
): Promise<Cluster> {
  const start = (role: string) => startNodeProcess({ program, env: { ...env, ROLE: role } });
  const members: Member[] = [];
  const badExits: string[] = [];
  const lastWords = ({ stderr }: NodeProcess) => stderr().trim().slice(-LAST_WORDS);

  /** Nobody has ended it, so it has died of something. */
  async function watch(member: Member, node: NodeProcess): Promise<void> {
    const code = await node.exit;
    if (!member.isUp || member.node !== node) return;
    member.isUp = false;
    badExits.push(`a node (${member.role}) died by itself with ${code}: ${lastWords(node)}`);
  }
  for (let index = 0; index < count; index += 1) {
    const role = roleOf(index, count);
    const member = { role, node: await start(role), isUp: true };
    members.push(member);
    void watch(member, member.node);
  }
  const serving = members.filter(({ role }) => role !== 'worker');

  async function startAgain(member: Member): Promise<void> {
    // A database that is being restarted at this moment refuses a node, and whoever runs nodes starts it again.
    for (let attempt = 1; ; attempt += 1) {
      try {
        member.node = await start(member.role);
        member.isUp = true;
        void watch(member, member.node);
        return;
      } catch (error) {
        if (attempt === 20) throw error;
        await sleep(500);
      }
    }
  }

  const stopMember = async (member: Member) => {
    member.isUp = false;
    member.node.child.kill('SIGTERM');
    const code = await member.node.exit;
    if (code === 0) return;
    const last = lastWords(member.node);
    badExits.push(`a node (${member.role}) that was told to stop ended with ${code}: ${last}`);
  };

  return {
    count,
    badExits,
    address(random) {
      const up = serving.filter(({ isUp }) => isUp);
      return pick(random, random() < UNNOTICED || up.length === 0 ? serving : up).node.address;
    },
    isServing: (without) =>
      serving.some(
        (member) => member.isUp && member !== (without === undefined ? null : members[without % count]),
      ),
    sound: () => (serving.find(({ isUp }) => isUp) ?? serving[0])?.node.address ?? '',
    async kill(index, downMs) {
      const member = members[index % count];
      if (!member) return;
      member.isUp = false;
      member.node.child.kill('SIGKILL');
      await member.node.exit;
      await sleep(downMs);
      await startAgain(member);
    },
    async restart(index) {
      const member = members[index % count];
      if (!member) return;
      await stopMember(member);
      await startAgain(member);
    },
    async stop() {
      await Promise.all(members.filter(({ isUp }) => isUp).map(stopMember));
    },
  };
}
