# shellcheck shell=bash
#: handshakes [ROUNDS]
#: The cost of a separate TLS context for each accepted connection, which makes session tickets useless to
#: clients: full handshakes with one context for all connections and with one for each, with a key and with
#: certificates.
#
# ROUNDS is 5 by default. The measurement is in Sources/SkyNetBench/Handshakes.swift; openssl makes
# the certificates.

rounds=${1:-5}
need_rounds "$rounds"
install_packages openssl
need_bench

make_certificates() {
  local new=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
  openssl req -x509 "${new[@]}" -days 2 -subj /CN=ca -keyout "$work/ca.key" -out "$work/ca.pem" \
    && openssl req -new "${new[@]}" -subj /CN=member -keyout "$work/member.key" \
      -out "$work/member.csr" \
    && openssl x509 -req -in "$work/member.csr" -CA "$work/ca.pem" -CAkey "$work/ca.key" \
      -CAcreateserial -days 2 -out "$work/member.pem"
}
make_certificates 2>"$work/openssl" || die "openssl made no certificates: $(<"$work/openssl")"

measure() { # OPTION...
  "$bench" handshakes --runs "$rounds" "$@" \
    || die "the handshakes went wrong"
}
say "with a key, $rounds rounds"
measure
say "with certificates, $rounds rounds"
measure --certificate "$work/member.pem" --key "$work/member.key" --authority "$work/ca.pem"
