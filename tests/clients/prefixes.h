// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

namespace lk::test {

/// The rows of a test that a library passes under its own names as under any other prefix: a column
/// "prefix", which is empty first.
inline void prefixRows(const QString& other)
{
    QTest::addColumn<QString>("prefix");
    QTest::newRow("its own names") << QString();
    QTest::newRow("another prefix") << other;
}

} // namespace lk::test
