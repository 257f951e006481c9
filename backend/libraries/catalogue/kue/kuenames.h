// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

// Names and ids of kue; see kue.cpp. Queue: "<prefix>:jobs:<type>".

QByteArray kueIdOf(const QByteArray& member);    ///< "02|17" -> "17"; empty for anything else
QByteArray kuePrefixOf(const QByteArray& queue); ///< the prefix that all job types share
QByteArray kueJobKey(const QByteArray& prefix, const QByteArray& id);

} // namespace lk
