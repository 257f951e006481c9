// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcessEnvironment>
#include <QTest>

namespace lk::test {

/// Has a program that is started say of each of Qt's messages how grave it is.
inline void nameWarnings(QProcessEnvironment& environment)
{
    environment.insert(QStringLiteral("QT_MESSAGE_PATTERN"),
                       QStringLiteral("[%{type}] %{if-category}%{category}: %{endif}%{message}"));
}

/// Fails the test if the program has printed a warning about itself. told: its stderr.
inline void failOnWarnings(const QByteArray& told)
{
    for (const QByteArray& line : told.split('\n')) {
        const bool warns = line.startsWith("[warning] ") || line.startsWith("[critical] ");
        if (warns && !line.contains("This plugin does not support"))
            QTest::qFail(line.constData(), __FILE__, __LINE__);
    }
}

} // namespace lk::test
