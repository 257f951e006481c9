// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/e2e/program.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace lk::test {

using namespace Qt::StringLiterals;

inline bool start(Program& program, const QString& url, const QString& line,
                  const QStringList& more = {})
{
    return program.start(QStringList{u"act"_s, url} + line.split(u' ') + more);
}

inline bool act(Program& program, const QString& url, const QString& line)
{
    return start(program, url, line) && program.waitForEnd();
}

/// From the same account as before.
inline bool again(Program& program, const Program& before, const QString& url, const QString& line)
{
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
        program.set(name, before.home());
    return act(program, url, line);
}

inline QJsonArray journal(const Program& before, const QString& url)
{
    Program program;
    if (!again(program, before, url, u"journal --json"_s) || program.exitCode() != 0)
        return {u"no journal"_s, u"at all"_s, u"or not JSON"_s};
    const QJsonDocument document = QJsonDocument::fromJson(program.out());
    return document.isArray() ? document.array() : QJsonArray{u"no"_s, u"JSON"_s, u"array"_s};
}

} // namespace lk::test
