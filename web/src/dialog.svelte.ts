// Which event is shown whole, over whatever view there is.
class EventDialog {
  seq = $state<number | null>(null);

  open(seq: number): void {
    this.seq = seq;
  }

  close(): void {
    this.seq = null;
  }
}

export const eventDialog = new EventDialog();
