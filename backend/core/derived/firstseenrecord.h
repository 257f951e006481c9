// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMetaType>

#include <vector>

namespace lk {

/// When this console first saw a job in a processing list. List items have no time of their own.
struct FirstSeenRecord
{
    QByteArray queue;        ///< the primitive's name
    quint64 fingerprint = 0; ///< fingerprint of the job's bytes
    qint64 firstSeenMs = 0;  ///< server time
};

} // namespace lk

Q_DECLARE_METATYPE(std::vector<lk::FirstSeenRecord>)
