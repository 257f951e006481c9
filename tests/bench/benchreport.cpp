// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/benchreport.h"

#include <QDateTime>
#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSaveFile>
#include <QThread>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lk::bench {

namespace {

QString firstMatch(const QString& path, const QString& pattern)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QRegularExpression wanted(pattern, QRegularExpression::MultilineOption);
    return wanted.match(QString::fromUtf8(file.readAll())).captured(1);
}

QJsonObject machine(const QString& redisVersion)
{
    const double kilobytes =
        firstMatch(QStringLiteral("/proc/meminfo"), QStringLiteral("^MemTotal: *(\\d+)"))
            .toDouble();
    return {{QStringLiteral("cores"), QThread::idealThreadCount()},
            {QStringLiteral("memory_mb"), std::round(kilobytes / 1024)},
            {QStringLiteral("cpu"),
             firstMatch(QStringLiteral("/proc/cpuinfo"), QStringLiteral("^model name\\s*: (.*)$"))},
            {QStringLiteral("kernel"), QSysInfo::kernelVersion()},
            {QStringLiteral("system"), QSysInfo::prettyProductName()},
            {QStringLiteral("qt"), QString::fromLatin1(qVersion())},
            {QStringLiteral("redis"), redisVersion}};
}

void print(const QString& line)
{
    std::printf("%s\n", qPrintable(line));
    std::fflush(stdout);
}

QString number(double value)
{
    return QString::number(value, 'f', std::abs(value) < 10 ? 2 : std::abs(value) < 100 ? 1 : 0);
}

} // namespace

double percentile(std::vector<double> values, double p)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const auto rank = size_t(std::ceil(p * double(values.size())));
    return values[std::clamp(rank, size_t(1), values.size()) - 1];
}

double median(const std::vector<double>& values)
{
    return percentile(values, 0.5);
}

QJsonArray toArray(const std::vector<double>& values)
{
    QJsonArray array;
    for (const double v : values)
        array.append(std::round(v * 1000) / 1000);
    return array;
}

Report::Report(QString path, QString section)
    : m_path(std::move(path))
    , m_section(std::move(section))
{}

void Report::row(const QString& name, const QString& unit,
                 const std::vector<std::pair<QString, double>>& values, QJsonObject more)
{
    QString line = QStringLiteral("  %1").arg(name, -34);
    for (const auto& [title, value] : values) {
        line += QStringLiteral("  %1 %2").arg(title, number(value).rightJustified(7));
        more.insert(title, std::round(value * 1000) / 1000);
    }
    print(line + QLatin1Char(' ') + unit);
    more.insert(QStringLiteral("name"), name);
    more.insert(QStringLiteral("unit"), unit);
    m_rows.append(more);
}

void Report::atMost(const QString& what, double value, double limit, const QString& unit)
{
    const bool met = value <= limit;
    const double over = limit > 0 ? (value / limit - 1) * 100 : 0;
    print(QStringLiteral("  %1 %2: %3 of at most %4 %5%6")
              .arg(met ? QStringLiteral("pass ") : QStringLiteral("SHORT"), what, number(value),
                   number(limit), unit,
                   met ? QString() : QStringLiteral(" (%1 % too much)").arg(number(over))));
    m_goals.append(QJsonObject{{QStringLiteral("what"), what},
                               {QStringLiteral("value"), value},
                               {QStringLiteral("at_most"), limit},
                               {QStringLiteral("unit"), unit},
                               {QStringLiteral("met"), met}});
}

void Report::note(const QString& text)
{
    print(QStringLiteral("  ") + text);
    m_notes.append(text);
}

bool Report::save(const QString& redisVersion) const
{
    QJsonObject all;
    QFile before(m_path);
    if (before.open(QIODevice::ReadOnly))
        all = QJsonDocument::fromJson(before.readAll()).object();
    if (all.isEmpty()) {
        all.insert(QStringLiteral("date"), QDateTime::currentDateTimeUtc().toString(Qt::ISODate));
        all.insert(QStringLiteral("machine"), machine(redisVersion));
    }
    double load[1] = {0};
    getloadavg(load, 1);
    all.insert(m_section, QJsonObject{{QStringLiteral("load_average"), load[0]},
                                      {QStringLiteral("rows"), m_rows},
                                      {QStringLiteral("goals"), m_goals},
                                      {QStringLiteral("notes"), m_notes}});
    QSaveFile file(m_path);
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(all).toJson()) > 0 &&
           file.commit();
}

} // namespace lk::bench
