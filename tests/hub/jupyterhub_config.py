"""The walk's hub: the accounts of this machine, asked by PAM; each gets JupyterLab with its own rights."""

import json
import os

facts = json.loads(os.environ["HUB_FACTS"])
front, hub, proxy, _ = facts["ports"]
c = get_config()

c.JupyterHub.bind_url = f"http://127.0.0.1:{front}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{hub}"
c.JupyterHub.db_url = f"sqlite:///{facts['folder']}/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = f"{facts['folder']}/cookie_secret"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{proxy}"
c.ConfigurableHTTPProxy.command = [facts["proxy"]]
c.ConfigurableHTTPProxy.pid_file = f"{facts['folder']}/proxy.pid"
c.JupyterHub.cleanup_servers = True
c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.open_sessions = False
c.Authenticator.allowed_users = set(facts["accounts"])
c.Spawner.cmd = [facts["python"], "-m", "jupyterhub.singleuser"]
c.Spawner.default_url = "/lab"
c.Spawner.environment = facts["environment"]
c.Spawner.start_timeout = 120
c.Spawner.http_timeout = 120
