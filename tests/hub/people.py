"""People of the walk: each has JupyterLab open in Chromium, clicks there, and calls what its buttons call."""

import json

WAIT = 120_000  # milliseconds; for a busy machine
CALL = """async ([method, path, body]) => {
  const token = (document.cookie.match(/_xsrf=([^;]+)/) || [])[1];
  const asked = { method, headers: { "X-XSRFToken": token, "Content-Type": "application/json" } };
  const answer = await fetch(path, body ? { ...asked, body } : asked);
  return [answer.status, await answer.text()];
}"""


class Person:
    """Somebody who is logged in on the hub."""

    def __init__(self, browser, hub, account, pictures):
        self.account, self.base, self.pictures = account, f"{hub.address}/user/{account}", pictures
        self.page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        self.page.set_default_timeout(WAIT)
        self.page.goto(hub.address)
        self.page.fill("#username_input", account)
        self.page.fill("#password_input", hub.password)
        self.page.click("#login_submit")
        self.page.wait_for_url("**/user/**")
        self.page.wait_for_selector(".lm-MenuBar-itemLabel:has-text('Nbgrader')")

    def call(self, method, path, body=None):
        """Call the server as Lab's own pages do; return what it answers."""
        text = None if body is None else json.dumps(body)
        status, said = self.page.evaluate(CALL, [method, f"/user/{self.account}{path}", text])
        assert status < 300, (method, path, status, said[:500])
        return json.loads(said) if said else None

    def assignment(self, action, course, chapter):
        """Do what a button of the list of assignments does: fetch, submit, fetch_feedback."""
        asked = f"?course_id={course}&assignment_id={chapter}"
        said = self.call("POST", f"/assignments/{action}{asked}")
        assert said["success"], said
        return said

    def notebook(self, path):
        """Return a notebook of theirs."""
        return self.call("GET", f"/api/contents/{path}")["content"]

    def save(self, path, notebook):
        """Save a notebook of theirs."""
        self.call("PUT", f"/api/contents/{path}", {"type": "notebook", "format": "json", "content": notebook})

    def chooses(self, entry):
        """Choose an entry of Lab's menu Nbgrader."""
        self.page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader").click()
        self.page.locator(".lm-Menu-itemLabel").get_by_text(entry, exact=True).click()

    def opens(self, path):
        """Open a file in Lab, and nothing else."""
        self.page.goto(f"{self.base}/lab/tree/{path}?reset")
        self.page.wait_for_selector(".lm-MenuBar-itemLabel:has-text('Nbgrader')")

    def validates(self, path, name):
        """Open a notebook, click Validate, and return what the dialog says."""
        self.opens(path)
        self.page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
        self.page.get_by_role("button", name="Validate").click()
        dialog = self.page.locator(".jp-Dialog-content").filter(has_text="Validation Results")
        dialog.wait_for()
        said = dialog.inner_text()
        self.picture(name)
        dialog.get_by_role("button").last.click()
        return said

    def picture(self, name):
        """Keep what they see."""
        self.page.screenshot(path=self.pictures / f"{name}.png")
