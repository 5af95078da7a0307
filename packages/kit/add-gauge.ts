// A gauge that is read when the metrics are.
import { type Aggregator, Gauge, type Registry } from 'prom-client';

type GaugeValue = number | null | Record<string, number>;

export type GaugeOptions = {
  name: string;
  help: string;
  /** Where there are several values. */
  label?: string;
  /** How values of several processes are combined; default: sum. */
  aggregator?: Aggregator;
  /** By label, if there is one; null = there is no value. */
  read(): GaugeValue | Promise<GaugeValue>;
};

export function addGauge(registry: Registry, { name, help, label, aggregator = 'sum', read }: GaugeOptions): void {
  new Gauge({
    name,
    help,
    aggregator,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      const found = await read();
      if (found === null && label === undefined) this.remove();
      else if (found === null) this.reset();
      else if (typeof found === 'number') this.set(found);
      else for (const [value, amount] of Object.entries(found)) this.set({ [label!]: value }, amount);
    },
  });
}
