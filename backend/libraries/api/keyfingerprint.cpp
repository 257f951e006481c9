// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/keyfingerprint.h"

#include <QCryptographicHash>

namespace lk {

namespace {

constexpr qsizetype footerBytes = 2 + 8;

QByteArray sha1Of(const QByteArray& bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha1).toHex();
}

} // namespace

QByteArray fingerprintOfDump(const Reply& dump)
{
    return dump.isText() ? sha1Of(dump.text.chopped(std::min(footerBytes, dump.text.size())))
                         : QByteArray();
}

bool hasFingerprint(const Reply& dump, const QByteArray& fingerprint)
{
    return fingerprintOfDump(dump) == fingerprint ||
           (dump.isText() && sha1Of(dump.text) == fingerprint);
}

} // namespace lk
