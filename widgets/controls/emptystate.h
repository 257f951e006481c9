// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

class QLabel;

namespace lk {

class ProgressLine;

/// A placeholder for an empty view: an icon, the reason, the next step.
class EmptyState final : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);

    /// example: shown in monospace below; may be empty. percent: the progress of a running task.
    void setText(const QString& iconName, const QString& headline, const QString& text,
                 const QString& example = {}, std::optional<int> percent = {});
    QString headline() const;

private:
    void updateIcon();

    QString m_iconName;
    QLabel* m_icon;
    QLabel* m_headline;
    QLabel* m_text;
    ProgressLine* m_progress;
    QLabel* m_example;
};

} // namespace lk
