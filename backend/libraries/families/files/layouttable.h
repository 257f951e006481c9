// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/libraries/families/files/namepattern.h"
#include "backend/libraries/families/files/tomlheader.h"

#include <QStringList>

namespace lk {

/// Keeps the first problem in a file: BadConfig, "file:line: problem, correct form".
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

/// One table of a layout file. Each reader returns the value of the key, or an empty value if the
/// key is missing or invalid. Invalid values are reported to the problem.
class LayoutTable
{
public:
    /// known: all keys that the table may have. table and problem must outlive this.
    LayoutTable(const toml::table& table, const QStringList& known, LayoutProblem& problem);

    bool has(const char* key) const { return m_table.contains(key); }
    toml::source_region at(const char* key) const;

    QByteArray text(const char* key);
    QByteArray neededText(const char* key);
    /// One of the words. Empty if the key is missing.
    QByteArray word(const char* key, const QStringList& words);
    /// One of the words, or an array of them.
    QByteArrayList words(const char* key, const QStringList& known);
    /// A string or an array of strings.
    QByteArrayList texts(const char* key);
    std::optional<bool> flag(const char* key);
    std::optional<qint64> count(const char* key);
    /// A number between 0 and 1. Nothing if the key is missing or is text.
    std::optional<double> share(const char* key);
    std::optional<qint64> durationMs(const char* key);
    std::optional<NamePattern> pattern(const char* key);
    std::vector<NamePattern> patterns(const char* key);
    /// Null if the key is missing or not a table.
    const toml::table* table(const char* key);

    void refuse(const char* key, const QString& what) { m_problem.refuse(at(key), what); }

private:
    bool isOneOf(const char* key, const QByteArray& given, const QStringList& words);
    std::optional<QByteArray> textOf(const char* key, const toml::node& node);
    std::optional<NamePattern> patternOf(const char* key, const QByteArray& text);

    const toml::table& m_table;
    LayoutProblem& m_problem;
};

} // namespace lk
