{{/* What servers and workers have in common. */}}

{{- define "pinakes.labels" -}}
app.kubernetes.io/name: pinakes
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "pinakes.pod" -}}
automountServiceAccountToken: false
# Kubernetes would add variables for every service of the namespace, and an unknown PINAKES_ variable is an error.
enableServiceLinks: false
terminationGracePeriodSeconds: 30
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    {{- toYaml .Values.seccompProfile | nindent 4 }}
volumes:
  - name: tmp
    emptyDir: {}
  - name: data
    emptyDir: {}
{{- end }}

{{- define "pinakes.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  - name: PINAKES_DATABASE_URL
    valueFrom:
      secretKeyRef:
        name: {{ .Values.database.secretName }}
        key: {{ .Values.database.secretKey }}
  - name: PINAKES_SERVE_ALLOWED_HOSTS
    value: {{ join "," (concat (list (printf "%s-server" .Release.Name)) .Values.hosts) | quote }}
  - name: PINAKES_CRAWL_HEARTBEAT_FILE
    value: /tmp/heartbeat
  {{- if .Values.qdrant.enabled }}
  - name: PINAKES_QDRANT_URLS
    value: "http://{{ .Release.Name }}-qdrant:6333"
  {{- if .Values.qdrant.apiKeySecretName }}
  - name: PINAKES_QDRANT_API_KEY
    valueFrom:
      secretKeyRef:
        name: {{ .Values.qdrant.apiKeySecretName }}
        key: {{ .Values.qdrant.apiKeySecretKey }}
  {{- end }}
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- with .Values.secretNames }}
envFrom:
  {{- range . }}
  - secretRef: { name: {{ . }} }
  {{- end }}
{{- end }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: /data
{{- end }}
