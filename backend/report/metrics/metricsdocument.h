// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <utility>
#include <vector>

namespace lk {

/// The two forms that Prometheus reads; they differ in how a counter is called and in the end.
enum class MetricsFormat : quint8 { OpenMetrics, PlainText };
QByteArray contentTypeOf(MetricsFormat format);
/// What the header Accept, in small letters, asks for; plain text unless it names the other.
MetricsFormat metricsFormatFor(const QByteArray& accept);

/// Families of metrics, one after the other. A value is written once, with its labels in the order
/// in which they are given.
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
    QByteArray finish();

private:
    void begin(const QByteArray& name, const char* type, const char* help, const char* unit);

    MetricsFormat m_format;
    QByteArray m_name; ///< of the samples
    QByteArray m_text;
};

} // namespace lk
