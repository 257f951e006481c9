// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace lk {

class InlineMessage;

/// A secret that is shown once and can be copied. After a while the secret is removed from the
/// clipboard if it is still there. The widget forgets it on request or on destruction.
class CodeView final : public QWidget
{
    Q_OBJECT

public:
    static constexpr int keptOnClipboardMs = 30'000;

    explicit CodeView(QWidget* parent = nullptr, int keptMs = keptOnClipboardMs);

    void setCode(const QString& code);
    QString code() const;

private:
    void copy();

    int m_keptMs;
    QLabel* m_code;
    InlineMessage* m_note;
};

} // namespace lk
