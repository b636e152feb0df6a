// A folder that is opened without a server may start no workers, and the search of these pages wants one.
// Here a hidden frame does its work: what is posted to it is a message in the frame, and the other way round.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      const inside = frame.contentWindow
      inside.postMessage = (data) => this.tell(this, data)
      const script = frame.contentDocument.createElement("script")
      this.ready = new Promise((loaded) => script.addEventListener("load", loaded))
      script.src = url
      frame.contentDocument.body.append(script)
      this.inside = inside
      this.frame = frame
    }

    tell(target, data) {
      const event = new MessageEvent("message", { data })
      target.dispatchEvent(event)
      target.onmessage?.(event)
    }

    postMessage(data) {
      this.ready.then(() => this.tell(this.inside, data))
    }

    terminate() {
      this.frame.remove()
    }
  }
  window.Worker = window.IFrameWorker
}
