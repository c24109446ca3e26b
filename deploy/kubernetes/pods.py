"""What deploy/kubernetes/test needs of the manifests, beside what a container engine does.

  pods.py check FILE                      checks what no schema says: the restricted Pod Security profile, and that
                                          names, labels, ports, variables and times fit each other
  pods.py run FILE NAME POD KEY=VALUE...  prints podman's arguments for the pod of a Deployment or Job, each ended by a
                                          zero byte. Keys: secret=DIR and volumes=DIR, with a folder for each
                                          claim, for the pod's volumes; index=N for an Indexed Job; image=NAME;
                                          limits=yes if podman can limit memory and processors
  pods.py exec FILE NAME WHICH            prints the command of startup, liveness or preStop in the same way
  pods.py get FILE NAME WHICH             prints the path and port of an HTTP probe
  pods.py http URL                        asks as kubelet does; succeeds at 200 to 399, and prints status and body

FILE has the manifests that `kubectl kustomize` prints.
"""

import re
import sys
import urllib.error
import urllib.request

import yaml

FIELDS = {"metadata.name": "pod", "metadata.annotations['batch.kubernetes.io/job-completion-index']": "index"}


def load(path):
    with open(path, encoding="utf-8") as file:
        return [document for document in yaml.safe_load_all(file) if document]


def named(manifests, name):
    for manifest in manifests:
        if manifest["metadata"]["name"] == name and manifest["kind"] in ("Deployment", "Job"):
            return manifest["spec"]["template"]
    sys.exit(f"pods.py: there is no Deployment or Job {name}")


def expand(text, variables):
    """$(NAME), as Kubernetes expands it in args."""
    return re.sub(r"\$\((\w+)\)", lambda match: variables.get(match[1], match[0]), text)


def seconds(text):
    """A time of the program's command line, such as 5m or 20s."""
    number, unit = re.fullmatch(r"([\d.]+)([smh]?)", text).groups()
    return float(number) * {"": 1, "s": 1, "m": 60, "h": 3600}[unit]


def option(arguments, name):
    for argument in arguments:
        if argument.startswith(f"--{name}="):
            return argument.split("=", 1)[1]
    return None


# MARK: Checks


def restricted(where, spec):
    """https://kubernetes.io/docs/concepts/security/pod-security-standards/, "Restricted" and with it "Baseline"."""
    pod = spec.get("securityContext", {})
    for key in ("hostNetwork", "hostPID", "hostIPC"):
        if spec.get(key):
            yield f"{where}: {key}"
    for volume in spec.get("volumes", []):
        kinds = set(volume) - {"name"}
        allowed = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected",
                   "secret"}
        if not kinds <= allowed:
            yield f"{where}: a volume is of kind {kinds - allowed}"
    for container in spec.get("initContainers", []) + spec["containers"]:
        own = container.get("securityContext", {})
        both = {**pod, **own}
        if own.get("privileged") or own.get("procMount", "Default") != "Default":
            yield f"{where}: privileged"
        if own.get("allowPrivilegeEscalation") is not False:
            yield f"{where}: allowPrivilegeEscalation is not false"
        capabilities = own.get("capabilities", {})
        if "ALL" not in capabilities.get("drop", []) or set(capabilities.get("add", [])) - {"NET_BIND_SERVICE"}:
            yield f"{where}: it has capabilities"
        if both.get("runAsNonRoot") is not True or both.get("runAsUser") == 0:
            yield f"{where}: it may run as root"
        if both.get("seccompProfile", {}).get("type") not in ("RuntimeDefault", "Localhost"):
            yield f"{where}: it has no seccomp profile"
        if both.get("seLinuxOptions", {}).get("type", "container_t") not in ("container_t", "container_init_t",
                                                                          "container_kvm_t"):
            yield f"{where}: SELinux"
        if any(port.get("hostPort") for port in container.get("ports", [])):
            yield f"{where}: hostPort"


def consistent(manifests):
    """What refers to each other fits."""
    templates = [(m, m["spec"]["template"]) for m in manifests if m["kind"] in ("Deployment", "Job")]
    ports = {port["name"] for _, t in templates for c in t["spec"]["containers"] for port in c.get("ports", [])}
    for manifest in manifests:
        kind, spec, where = manifest["kind"], manifest["spec"], f"{manifest['kind']} {manifest['metadata']['name']}"
        selector = {"Service": lambda: spec["selector"],
                    "NetworkPolicy": lambda: spec["podSelector"]["matchLabels"],
                    "PodDisruptionBudget": lambda: spec["selector"]["matchLabels"],
                    "Deployment": lambda: spec["selector"]["matchLabels"]}.get(kind, dict)()
        if selector and not any(selector.items() <= t["metadata"]["labels"].items() for _, t in templates):
            yield f"{where}: it selects no pod"
        used = [p["targetPort"] for p in spec.get("ports", [])] if kind == "Service" else []
        if kind == "NetworkPolicy":
            used = [p["port"] for rule in spec["ingress"] + spec["egress"] for p in rule["ports"]]
            used = [port for port in used if port not in (53, 7777)]
        for port in used:
            if port not in ports:
                yield f"{where}: no container has the port {port}"
    for manifest, template in templates:
        where, spec = f"{manifest['kind']} {manifest['metadata']['name']}", template["spec"]
        yield from restricted(where, spec)
        if spec.get("automountServiceAccountToken") is not False or spec.get("enableServiceLinks") is not False:
            yield f"{where}: it gets a token, or variables of services"
        volumes = {volume["name"] for volume in spec.get("volumes", [])}
        for container in spec["containers"]:
            arguments = container.get("args", [])
            variables = {variable["name"] for variable in container.get("env", [])}
            for variable in re.findall(r"\$\((\w+)\)", " ".join(arguments)):
                if variable not in variables:
                    yield f"{where}: $({variable}) has no value"
            if container["securityContext"].get("readOnlyRootFilesystem") is not True:
                yield f"{where}: its root can be written"
            if not {"cpu", "memory"} <= container["resources"]["requests"].keys() or (
                    "memory" not in container["resources"]["limits"]):
                yield f"{where}: requests or limits are missing"
            if {mount["name"] for mount in container.get("volumeMounts", [])} != volumes:
                yield f"{where}: volumes and mounts differ"
            hook = container.get("lifecycle", {}).get("preStop")
            if hook:
                own = seconds(option(hook["exec"]["command"], "wait-timeout"))
                if own + seconds(option(arguments, "drain-timeout")) >= spec["terminationGracePeriodSeconds"]:
                    yield f"{where}: it is killed before it is drained"
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                port = container.get(probe, {}).get("httpGet", {}).get("port")
                if port and port not in {p["name"] for p in container["ports"]}:
                    yield f"{where}: {probe} has no port"
        if manifest["spec"].get("completionMode") == "Indexed":
            share = option(spec["containers"][0]["args"], "share")
            if share != f"$(JOB_COMPLETION_INDEX)/{manifest['spec']['completions']}":
                yield f"{where}: {share} is not the share of {manifest['spec']['completions']} completions"


# MARK: Containers


def podman(template, values):
    spec, container = template["spec"], template["spec"]["containers"][0]
    context = {**spec["securityContext"], **container["securityContext"]}
    variables = {}
    for variable in container.get("env", []):
        field = variable.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath")
        variables[variable["name"]] = values[FIELDS[field]] if field else variable["value"]
    arguments = ["--hostname", values["pod"], "--user", f"{context['runAsUser']}:{context['runAsGroup']}",
                 # What Kubernetes leaves as it is, and podman would make writable.
                 "--read-only-tmpfs=false"]
    if "fsGroup" in context:
        arguments += ["--group-add", str(context["fsGroup"])]
    if context["readOnlyRootFilesystem"]:
        arguments += ["--read-only"]
    if not context["allowPrivilegeEscalation"]:
        arguments += ["--security-opt", "no-new-privileges"]
    for capability in context["capabilities"]["drop"]:
        arguments += ["--cap-drop", capability]
    if values.get("limits") == "yes":
        limits = container["resources"]["limits"]
        arguments += ["--memory", limits["memory"].replace("i", "").lower()]
        if "cpu" in limits:
            arguments += ["--cpus", limits["cpu"]]
    for name, value in variables.items():
        arguments += ["--env", f"{name}={value}"]
    sources = {}
    for volume in spec.get("volumes", []):
        claim = volume.get("persistentVolumeClaim", {}).get("claimName")
        sources[volume["name"]] = f"{values['volumes']}/{claim}" if claim else values["secret"]
    for mount in container.get("volumeMounts", []):
        suffix = ":ro" if mount.get("readOnly") else ""
        arguments += ["--volume", f"{sources[mount['name']]}:{mount['mountPath']}{suffix}"]
    if "command" in container:
        sys.exit("pods.py: the image's own entry point is expected")
    return arguments + [values["image"]] + [expand(text, variables) for text in container["args"]]


def command(template, which):
    container = template["spec"]["containers"][0]
    if which == "preStop":
        return container["lifecycle"]["preStop"]["exec"]["command"]
    return container[which + "Probe"]["exec"]["command"]


def get(template, which):
    container = template["spec"]["containers"][0]
    probe = container[which + "Probe"]["httpGet"]
    port = next(port["containerPort"] for port in container["ports"] if port["name"] == probe["port"])
    return f"{port}{probe['path']}"


def http(url):
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            print(reply.status, reply.read().decode())
            return reply.status < 400
    except urllib.error.HTTPError as error:
        print(error.code, error.read().decode())
    except OSError as error:
        print(error)
    return False


def main():
    what, path, *rest = sys.argv[1:]
    if what == "check":
        faults = list(consistent(load(path)))
        print("\n".join(faults), end="\n" if faults else "", file=sys.stderr)
        sys.exit(1 if faults else 0)
    if what == "http":
        sys.exit(0 if http(path) else 1)
    template = named(load(path), rest[0])
    if what == "get":
        print(get(template, rest[1]))
        return
    if what == "run":
        values = {"pod": rest[1], **dict(text.split("=", 1) for text in rest[2:])}
        words = podman(template, values)
    else:
        words = command(template, rest[1])
    sys.stdout.write("".join(word + "\0" for word in words))


main()
