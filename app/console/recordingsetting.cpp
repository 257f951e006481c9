// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/recordingsetting.h"

#include <QSettings>

namespace lk {

namespace {
const QString recordingKey = QStringLiteral("recording/on");
} // namespace

RecordingSetting::RecordingSetting(QSettings& settings)
    : m_settings(settings)
{}

bool RecordingSetting::isOn() const
{
    return m_settings.value(recordingKey, true).toBool();
}

void RecordingSetting::setOn(bool on)
{
    if (on == isOn())
        return;
    m_settings.setValue(recordingKey, on);
    emit changed(on);
}

} // namespace lk
