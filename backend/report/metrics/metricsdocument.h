// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <utility>
#include <vector>

namespace lk {

/// The two formats that Prometheus reads. They differ in the names of counters and in the end.
enum class MetricsFormat : quint8 { OpenMetrics, PlainText };
QByteArray contentTypeOf(MetricsFormat format);
/// Returns the format that the header Accept requests; plain text unless it names the other.
/// accept: in lower case.
MetricsFormat metricsFormatFor(const QByteArray& accept);

/// Writes families of metrics, one after the other. Each value is written once, with its labels in
/// the given order.
class MetricsDocument
{
public:
    using Labels = std::vector<std::pair<const char*, QByteArray>>;

    explicit MetricsDocument(MetricsFormat format)
        : m_format(format)
    {}

    /// Begins the next family. unit: "seconds", "bytes", "ratio" at the end of its name, or empty.
    void gauge(const QByteArray& name, const char* help, const char* unit = "");
    /// name without "_total".
    void counter(const QByteArray& name, const char* help, const char* unit = "");
    void add(const Labels& labels, double value);
    void add(const Labels& labels, const QByteArray& value);
    QByteArray finish();

private:
    void begin(const QByteArray& name, const char* type, const char* help, const char* unit);

    MetricsFormat m_format;
    QByteArray m_name; ///< the samples' name
    QByteArray m_text;
};

} // namespace lk
