// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/libraries/families/files/namepattern.h"
#include "backend/libraries/families/files/tomlheader.h"

#include <QStringList>

namespace lk {

/// The first thing that is wrong in a file: BadConfig, "file:line: what is wrong, what is right".
class LayoutProblem
{
public:
    explicit LayoutProblem(QString fileName)
        : m_fileName(std::move(fileName))
    {}

    void refuse(const toml::source_region& at, const QString& what);
    const std::optional<Error>& first() const { return m_first; }

private:
    QString m_fileName;
    std::optional<Error> m_first;
};

/// One table of a layout file. Each reader answers with what the key holds, or with what stands for
/// it where there is no such key or it is wrong; the latter is told to the problem.
class LayoutTable
{
public:
    /// known: every key that the table may have; both outlive this.
    LayoutTable(const toml::table& table, const QStringList& known, LayoutProblem& problem);

    bool has(const char* key) const { return m_table.contains(key); }
    toml::source_region at(const char* key) const;

    QByteArray text(const char* key);
    QByteArray neededText(const char* key);
    /// Empty: it is not there.
    QByteArray word(const char* key, const QStringList& words);
    /// One, or an array of them.
    QByteArrayList texts(const char* key);
    std::optional<bool> flag(const char* key);
    std::optional<qint64> count(const char* key);
    std::optional<qint64> durationMs(const char* key);
    std::optional<NamePattern> pattern(const char* key);
    std::vector<NamePattern> patterns(const char* key);
    /// Null: it is not there or is no table.
    const toml::table* table(const char* key);

    void refuse(const char* key, const QString& what) { m_problem.refuse(at(key), what); }

private:
    std::optional<QByteArray> textOf(const char* key, const toml::node& node);
    std::optional<NamePattern> patternOf(const char* key, const QByteArray& text);

    const toml::table& m_table;
    LayoutProblem& m_problem;
};

} // namespace lk
