// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QString>

#include <vector>

namespace lk::bench {

/// Sorts a copy; p between 0 and 1. 0 for no values.
double percentile(std::vector<double> values, double p);
double median(const std::vector<double>& values);
QJsonArray toArray(const std::vector<double>& values);

/// The results of one program. Prints them as they come, and saves them under one name in a JSON
/// file that several programs share. The first program adds the date and the kind of machine.
class Report final
{
public:
    Report(QString path, QString section);

    /// One line of a table; the values are kept and printed in their order, in this unit.
    void row(const QString& name, const QString& unit,
             const std::vector<std::pair<QString, double>>& values, QJsonObject more = {});
    /// A goal of "at most": met, or short by how much.
    void atMost(const QString& what, double value, double limit, const QString& unit);
    void note(const QString& text);
    /// Writes the section into the file; returns false on failure.
    bool save(const QString& redisVersion) const;

private:
    QString m_path;
    QString m_section;
    QJsonArray m_rows;
    QJsonArray m_goals;
    QJsonArray m_notes;
};

} // namespace lk::bench
