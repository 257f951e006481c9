// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/metrics/metricsdocument.h"

#include <cmath>

namespace lk {

namespace {

// A label's value: of all characters these three have to be escaped.
QByteArray quoted(QByteArray value)
{
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    return '"' + value + '"';
}

} // namespace

QByteArray contentTypeOf(MetricsFormat format)
{
    return format == MetricsFormat::OpenMetrics
               ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
               : "text/plain; version=0.0.4; charset=utf-8";
}

MetricsFormat metricsFormatFor(const QByteArray& accept)
{
    // Prometheus requests it. A client without a preference, such as curl, gets the format that
    // "promtool check metrics" reads, which knows only the older one.
    return accept.contains("application/openmetrics-text") ? MetricsFormat::OpenMetrics
                                                           : MetricsFormat::PlainText;
}

void MetricsDocument::begin(const QByteArray& name, const char* type, const char* help,
                            const char* unit)
{
    m_text += "# HELP " + name + ' ' + help + "\n# TYPE " + name + ' ' + type + '\n';
    if (*unit && m_format == MetricsFormat::OpenMetrics)
        m_text += "# UNIT " + name + ' ' + unit + '\n';
}

void MetricsDocument::gauge(const QByteArray& name, const char* help, const char* unit)
{
    m_name = name;
    begin(name, "gauge", help, unit);
}

void MetricsDocument::counter(const QByteArray& name, const char* help, const char* unit)
{
    m_name = name + "_total";
    begin(m_format == MetricsFormat::OpenMetrics ? name : m_name, "counter", help, unit);
}

void MetricsDocument::add(const Labels& labels, double value)
{
    const bool whole = std::abs(value) < 1e15 && value == std::floor(value);
    add(labels, std::isnan(value) ? QByteArray("NaN")
                : whole           ? QByteArray::number(qint64(value))
                                  : QByteArray::number(value, 'g', 10));
}

void MetricsDocument::add(const Labels& labels, const QByteArray& value)
{
    m_text += m_name;
    for (size_t i = 0; i < labels.size(); ++i)
        m_text +=
            (i == 0 ? "{" : ",") + QByteArray(labels[i].first) + '=' + quoted(labels[i].second);
    m_text += (labels.empty() ? " " : "} ") + value + '\n';
}

QByteArray MetricsDocument::finish()
{
    if (m_format == MetricsFormat::OpenMetrics)
        m_text += "# EOF\n";
    return std::move(m_text);
}

} // namespace lk
